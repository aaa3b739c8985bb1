import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { editDistance } from "../../domain/search/editDistance.ts";
import {
  distantKeys,
  joinedTerm,
  lengthTerm,
  minTwoEditLetters,
  nameTerms,
  nearKeys,
  pairTerm,
  prefixTerm,
  wordKeys,
  wordTerm,
} from "../../domain/search/terms.ts";

const letter = fc.constantFrom("a", "b", "c", "d", "e", "o");

/** A word and the same with so many random edits, none of which touches the first letters of a word that would be nothing without them. */
function misspelt(word: string, edits: readonly [number, number, string][]): string {
  let typed = word;
  for (const [kind, place, other] of edits) {
    const at = place % typed.length;
    const [head, tail] = [typed.slice(0, at), typed.slice(at)];
    if (kind === 0) typed = head + other + tail;
    else if (kind === 1 && typed.length > 1) typed = head + tail.slice(1);
    else if (kind === 2) typed = head + other + tail.slice(1);
    else typed = head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2);
  }
  return typed;
}
const edit = fc.tuple(fc.nat(3), fc.nat(100), letter);
const meet = (a: readonly number[], b: readonly number[]) => a.some((key) => b.includes(key));

describe("keys of words", () => {
  it("meet for any two words one edit apart", () => {
    const word = fc.string({ unit: letter, minLength: 2, maxLength: 14 });
    fc.assert(
      fc.property(word, edit, (known, one) => {
        const typed = misspelt(known, [one]);
        fc.pre(typed.length > 1);
        expect(meet(wordKeys(known), nearKeys(typed))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("meet for any long word and one two edits from it", () => {
    const word = fc.string({ unit: letter, minLength: minTwoEditLetters, maxLength: 16 });
    fc.assert(
      fc.property(word, edit, edit, (known, one, other) => {
        const typed = misspelt(known, [one, other]);
        fc.pre(editDistance(known, typed, 2) <= 2);
        expect(meet(wordKeys(known), distantKeys(typed)) || meet(wordKeys(known), nearKeys(typed))).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it("do not meet by chance", () => {
    expect(meet(wordKeys("parliament"), nearKeys("lighthouse"))).toBe(false);
  });

  it("of a very long word are the word alone", () => {
    expect(nearKeys("x".repeat(100))).toHaveLength(1);
  });
});

describe("terms of a name", () => {
  it("are its length, its words, these with the initials of the others, their first four beginnings, and all of it in one", () => {
    const terms = nameTerms("ada love");
    expect(terms[0]).toBe(lengthTerm(2));
    expect(new Set(terms.slice(1))).toEqual(
      new Set([
        joinedTerm("adalove"),
        ...["ada", "love"].map(wordTerm),
        pairTerm("ada", "l"),
        pairTerm("love", "a"),
        ...["a", "ad", "ada", "l", "lo", "lov", "love"].map(prefixTerm),
      ]),
    );
  });

  it("are few, however long the name", () => {
    expect(nameTerms(Array.from({ length: 1000 }, (_, n) => `word${n}`).join(" ")).length).toBeLessThan(120);
  });
});
