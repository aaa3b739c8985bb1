import fc from "fast-check";
import { segmentsFromWords } from "../../domain/utterances.ts";

/** Words of half a second each, one after the other; `|` stands for a pause of a second. */
function spoken(text: string, seconds = 0.5) {
  let at = 0;
  return text.split(" ").flatMap((token) => {
    if (token === "|") {
      at += 1;
      return [];
    }
    const word = { text: ` ${token}`, startSeconds: at, endSeconds: at + seconds, confidence: 0.8 };
    at += seconds;
    return [word];
  });
}
const texts = (text: string, seconds?: number) =>
  segmentsFromWords(spoken(text, seconds)).map((segment) => segment.text);

describe("segments from words", () => {
  test("end with sentences", () => {
    expect(texts("It was. Was it? It was!")).toEqual(["It was.", "Was it?", "It was!"]);
    expect(texts('He said "stop." Then "go?" And went.')).toEqual(['He said "stop."', 'Then "go?"', "And went."]);
  });

  test("end at a pause of a second", () => {
    expect(texts("welcome to the show | my guest today")).toEqual(["welcome to the show", "my guest today"]);
  });

  test("do not end at abbreviations, initials, or a stop before a small letter", () => {
    expect(texts("Ask Dr. Smith or J. Doe. Then 7 or 9. to exit")).toEqual([
      "Ask Dr. Smith or J. Doe.",
      "Then 7 or 9. to exit",
    ]);
  });

  test("are divided at a comma where they are longer than 12 s", () => {
    expect(texts("one two three four, five six seven eight nine", 1.5)).toEqual([
      "one two three four,",
      "five six seven eight nine",
    ]);
  });

  test("carry the times and mean confidence of their words", () => {
    const [segment] = segmentsFromWords([
      { text: " Hello", startSeconds: 1.00049, endSeconds: 1.4, confidence: 0.9 },
      { text: " world.", startSeconds: 1.4, endSeconds: 2.2, confidence: 0.6 },
    ]);
    expect(segment).toEqual({
      text: "Hello world.",
      startSeconds: 1,
      endSeconds: 2.2,
      confidence: 0.75,
      words: [
        { text: "Hello", startSeconds: 1, endSeconds: 1.4, confidence: 0.9 },
        { text: "world.", startSeconds: 1.4, endSeconds: 2.2, confidence: 0.6 },
      ],
    });
  });

  test("join scripts that have no spaces", () => {
    const words = ["今日", "は。"].map((text, index) => ({
      text,
      startSeconds: index,
      endSeconds: index + 1,
      confidence: 1,
    }));
    expect(segmentsFromWords(words).map((segment) => segment.text)).toEqual(["今日は。"]);
  });

  test("lose no word, keep their order, and are not much longer than 12 s", () => {
    const tokens = fc.array(fc.constantFrom("a", "b,", "C.", "D", "Mr.", "e?", "|"), { maxLength: 120 });
    fc.assert(
      fc.property(tokens, fc.double({ min: 0.1, max: 3, noNaN: true }), (list, seconds) => {
        const segments = segmentsFromWords(spoken(list.join(" "), seconds));
        expect(segments.flatMap((segment) => segment.text.split(" "))).toEqual(list.filter((token) => token !== "|"));
        for (const segment of segments) expect(segment.endSeconds - segment.startSeconds).toBeLessThan(12.01);
      }),
    );
  });
});
