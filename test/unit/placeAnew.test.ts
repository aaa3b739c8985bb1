import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { placeAnew } from "../../domain/review/placeAnew.ts";

it.each([
  ["where they were", "a b a", { charStart: 4, charEnd: 5 }, "a", { charStart: 4, charEnd: 5 }],
  ["at the nearest place", "a a xx a", { charStart: 5, charEnd: 6 }, "a", { charStart: 7, charEnd: 8 }],
  ["behind what counts as two", "😀 Ada", { charStart: 0, charEnd: 3 }, "Ada", { charStart: 3, charEnd: 6 }],
  ["nowhere", "b", { charStart: 0, charEnd: 1 }, "a", null],
  ["nowhere, where there are none", "b", { charStart: 5, charEnd: 5 }, "x", null],
])("words are found %s", (_where, text, place, words, found) => {
  expect(placeAnew(text, place, words)).toEqual(found);
});

it("whatever is found is the words, and they are found wherever they are", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "😀"), maxLength: 12 });
  fc.assert(
    fc.property(letters, letters, fc.nat(20), letters, (before, after, charStart, words) => {
      fc.pre(words !== "");
      const text = before + words + after;
      const found = placeAnew(text, { charStart, charEnd: charStart + words.length }, words);
      expect(found && text.slice(found.charStart, found.charEnd)).toBe(words);
    }),
  );
});
