import fc from "fast-check";
import { alignWords, comparableWords, countWordErrors, wordErrorRate } from "../../domain/wordErrorRate.ts";

const words = fc.array(fc.constantFrom("ask", "not", "what", "your", "country"), { maxLength: 12 });

function count(said: string[], heard: string[]): number {
  const { substituted, deleted, inserted } = countWordErrors(said.join(" "), heard.join(" "));
  return substituted + deleted + inserted;
}

describe("word error rate", () => {
  test("counts substitutions, deletions and insertions over the words of the reference", () => {
    expect(countWordErrors("a b c d", "a x c d")).toEqual({ substituted: 1, deleted: 0, inserted: 0, total: 4 });
    expect(countWordErrors("a b c d", "a c d")).toEqual({ substituted: 0, deleted: 1, inserted: 0, total: 4 });
    expect(countWordErrors("a b c d", "a b c c d e")).toEqual({ substituted: 0, deleted: 0, inserted: 2, total: 4 });
    expect(wordErrorRate("the cat sat on the mat", "the cat sat mat")).toBeCloseTo(2 / 6);
  });

  test("is 0 for two empty texts, 1 for all inserted, and can exceed 1", () => {
    expect(wordErrorRate("", "")).toBe(0);
    expect(wordErrorRate("", "thank you")).toBe(1);
    expect(wordErrorRate("yes", "no no no")).toBe(3);
  });

  test("ignores case, punctuation, apostrophes and hyphens", () => {
    expect(wordErrorRate("Don't re-enter: it's BUSY!", "dont re enter its busy")).toBe(0);
  });

  test("counts numbers by their digits, spelled or not", () => {
    expect(comparableWords("press one, extension 1234, twenty-eight, thirty, 28.8")).toEqual(
      "press 1 extension 1 2 3 4 2 8 3 0 2 8 8".split(" "),
    );
  });

  test("aligns each word said with the one heard for it", () => {
    expect(alignWords(["a", "b", "c"], ["a", "c"])).toEqual([0, null, 1]);
    expect(alignWords(["a", "b"], ["x", "a", "y"])).toEqual([1, 2]);
  });

  test("is 0 for equal texts, and its count is symmetric and never above the longer text", () => {
    fc.assert(
      fc.property(words, words, (said, heard) => {
        expect(count(said, said)).toBe(0);
        expect(count(said, heard)).toBe(count(heard, said));
        expect(count(said, heard)).toBeLessThanOrEqual(Math.max(said.length, heard.length));
        expect(count(said, heard)).toBeGreaterThanOrEqual(Math.abs(said.length - heard.length));
      }),
    );
  });
});
