import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { editDistance } from "../../domain/search/editDistance.ts";

describe("editDistance", () => {
  it.each([
    ["john", "john", 0],
    ["jhon", "john", 1],
    ["jon", "john", 1],
    ["johhn", "john", 1],
    ["jojn", "john", 1],
    ["jhno", "john", 2],
    ["abcd", "badc", 2],
    ["", "ab", 2],
    ["kitten", "sitting", 3],
    ["ca", "abc", 3],
  ])("%s → %s: %i", (a, b, distance) => {
    expect(editDistance(a, b, 10)).toBe(distance);
    expect(editDistance(b, a, 10)).toBe(distance);
  });

  it("says no more than one above the most that was asked for", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });
    fc.assert(
      fc.property(word, word, fc.nat(4), (a, b, most) => {
        expect(editDistance(a, b, most)).toBe(Math.min(editDistance(a, b, 20), most + 1));
      }),
    );
  });

  it("takes words of more letters than it has room for as far", () => {
    expect(editDistance("a".repeat(300), "a".repeat(299), 2)).toBe(3);
    expect(editDistance("a".repeat(300), "a".repeat(300), 2)).toBe(0);
  });
});
