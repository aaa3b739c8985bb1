import fc from "fast-check";
import { alignWordsToSound } from "../../domain/soundEdges.ts";

/** Sound at 1 to 2 s and 3 to 4 s, a quiet room elsewhere. */
const levels = Float32Array.from({ length: 250 }, (_, frame) => {
  const seconds = frame * 0.02;
  return (seconds >= 1 && seconds < 2) || (seconds >= 3 && seconds < 4) ? -20 : -60;
});
const curve = { levels, frameSeconds: 0.02 };
const word = (startSeconds: number, endSeconds: number) => ({ text: " w", startSeconds, endSeconds, confidence: 1 });
const edges = (words: { startSeconds: number; endSeconds: number }[]) =>
  words.map(({ startSeconds, endSeconds }) =>
    [startSeconds, endSeconds].map((seconds) => Math.round(seconds * 100) / 100),
  );

describe("words aligned to sound", () => {
  test("do not begin or end in a pause", () => {
    expect(edges(alignWordsToSound([word(0.2, 1.5), word(1.5, 2.4), word(2.5, 3.5), word(3.5, 4.8)], curve))).toEqual([
      [1, 1.5],
      [1.5, 2],
      [3, 3.5],
      [3.5, 4],
    ]);
  });

  test("reach as far as the sound does", () => {
    expect(edges(alignWordsToSound([word(1.3, 1.7), word(3.2, 3.8)], curve))).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test("stay where they are away from pauses, and where nothing sounds", () => {
    expect(edges(alignWordsToSound([word(1, 1.4), word(1.4, 2), word(2.2, 2.6)], curve))).toEqual([
      [1, 1.4],
      [1.4, 2],
      [2.2, 2.6],
    ]);
  });

  test("never come to overlap", () => {
    const instants = fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { maxLength: 12 });
    fc.assert(
      fc.property(instants, (times) => {
        const ordered = times.toSorted((a, b) => a - b);
        const words = ordered.slice(1).map((end, index) => word(ordered[index] ?? 0, end));
        let previousEnd = 0;
        for (const { startSeconds, endSeconds } of alignWordsToSound(words, curve)) {
          expect(startSeconds).toBeGreaterThanOrEqual(previousEnd);
          expect(endSeconds).toBeGreaterThanOrEqual(startSeconds);
          previousEnd = endSeconds;
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("keep texts, confidences and the words given", () => {
    const given = [word(0.2, 2)];
    expect(alignWordsToSound(given, curve)).toEqual([word(1, 2)]);
    expect(given).toEqual([word(0.2, 2)]);
    expect(alignWordsToSound([], curve)).toEqual([]);
  });
});
