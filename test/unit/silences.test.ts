import fc from "fast-check";
import { silentLevel, spansBetweenSilences, type LoudnessCurve } from "../../domain/silences.ts";

const frameSeconds = 0.02;
const voice = -20;
const room = -60;
const digitalSilence = -120;

/** Stretches of one level each, given in seconds. */
function curve(...stretches: [level: number, seconds: number][]): LoudnessCurve {
  const levels = stretches.flatMap(([level, seconds]) =>
    Array.from({ length: Math.round(seconds / frameSeconds) }, () => level),
  );
  return { levels: Float32Array.from(levels), frameSeconds };
}

const stretches = fc.array(
  fc.tuple(
    fc.constantFrom(voice, -30, -45, room, -80, silentLevel - 1, digitalSilence),
    fc.double({ min: 0.02, max: 40, noNaN: true }),
  ),
  { minLength: 1, maxLength: 30 },
);
const targets = fc.double({ min: 1, max: 60, noNaN: true });

describe("spans between silences", () => {
  test("are ordered, never overlap, are not empty, not too long, and within the recording", () => {
    fc.assert(
      fc.property(stretches, targets, (parts, target) => {
        const recording = curve(...parts);
        let previousEnd = 0;
        for (const { startSeconds, endSeconds } of spansBetweenSilences(recording, target)) {
          expect(startSeconds).toBeGreaterThanOrEqual(previousEnd);
          expect(endSeconds).toBeGreaterThan(startSeconds);
          expect(endSeconds - startSeconds).toBeLessThanOrEqual(target + 1e-6);
          previousEnd = endSeconds;
        }
        expect(previousEnd).toBeLessThanOrEqual(recording.levels.length * frameSeconds + 1e-6);
      }),
    );
  });

  test("hold every frame that is not silent", () => {
    fc.assert(
      fc.property(stretches, targets, (parts, target) => {
        const recording = curve(...parts);
        const held = new Uint8Array(recording.levels.length);
        for (const { startSeconds, endSeconds } of spansBetweenSilences(recording, target)) {
          held.fill(1, Math.round(startSeconds / frameSeconds), Math.round(endSeconds / frameSeconds));
        }
        const lost = [...recording.levels].filter((level, frame) => level >= silentLevel && held[frame] === 0);
        expect(lost).toHaveLength(0);
      }),
    );
  });

  test("are none for a recording of silence, and one for a short recording", () => {
    expect(spansBetweenSilences(curve([digitalSilence, 100]), 30)).toEqual([]);
    expect(spansBetweenSilences(curve(), 30)).toEqual([]);
    expect(spansBetweenSilences(curve([voice, 12]), 30)).toEqual([{ startSeconds: 0, endSeconds: 12 }]);
  });

  test("leave out long digital silence and keep 0.2 s around the sound", () => {
    const spans = spansBetweenSilences(curve([digitalSilence, 300], [voice, 5], [digitalSilence, 300], [voice, 5]), 30);
    expect(spans).toEqual([
      { startSeconds: 299.8, endSeconds: 305.2 },
      { startSeconds: 604.8, endSeconds: 610 },
    ]);
  });

  test("keep speech that is as quiet as 16-bit audio can carry", () => {
    expect(spansBetweenSilences(curve([-84, 10]), 30)).toHaveLength(1);
  });

  test("cut in the middle of a pause", () => {
    const spans = spansBetweenSilences(curve([voice, 25], [room, 1], [voice, 20]), 30);
    expect(spans.map((span) => span.endSeconds)).toEqual([25.5, 46]);
  });

  test("prefer the longer of two pauses, and the later of two equal ones", () => {
    const longer = curve([voice, 22], [room, 1], [voice, 5], [room, 0.2], [voice, 30]);
    expect(spansBetweenSilences(longer, 30)[0]?.endSeconds).toBeCloseTo(22.5);
    const equal = curve([voice, 20], [room, 0.4], [voice, 6], [room, 0.4], [voice, 30]);
    expect(spansBetweenSilences(equal, 30)[0]?.endSeconds).toBeCloseTo(26.6);
  });

  test("tell pauses from speech in a noisy room too", () => {
    const spans = spansBetweenSilences(curve([-18, 24], [-32, 0.6], [-18, 24]), 30);
    expect(spans[0]?.endSeconds).toBeCloseTo(24.3);
  });

  test("cut at the quietest moment where there is no pause", () => {
    const spans = spansBetweenSilences(curve([voice, 22], [voice - 4, 0.1], [voice, 20]), 30);
    expect(spans[0]?.endSeconds).toBeCloseTo(22.05, 1);
  });

  test("are close to the target where pauses are frequent", () => {
    const speech = curve(
      ...Array.from({ length: 200 }, (): [number, number][] => [
        [voice, 2.5],
        [room, 0.4],
      ]).flat(),
    );
    const spans = spansBetweenSilences(speech, 30);
    expect(spans).toHaveLength(Math.ceil((200 * 2.9) / 30));
  });
});
