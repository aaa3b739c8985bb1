import { expect, it } from "@jest/globals";
import { type ClaimedPlace, markExcerpt } from "../../domain/review/excerpt.ts";

const segments = [
  { id: "a", startSeconds: 0, endSeconds: 5, text: "Use code ADA20, says Ada.", words: [] },
  { id: "b", startSeconds: 5, endSeconds: 10, text: "Ada wrote (in part) for İz, who paid.", words: [] },
];
const claim = (quote: string | null, at = 7): ClaimedPlace => ({
  segmentId: null,
  charStart: null,
  charEnd: null,
  startSeconds: at,
  endSeconds: at + 1,
  quote,
});
const marked = (place: ClaimedPlace) => {
  const excerpt = markExcerpt(segments, place);
  return [excerpt?.text.slice(excerpt.markStart, excerpt.markEnd), excerpt?.markStart];
};

it("marks the quote where it is a word of its own, and of several places the one at the claim's time", () => {
  const second = segments[0]?.text.length ?? 0;
  expect(marked(claim("ada"))).toEqual(["Ada", second + 1]);
  expect(marked(claim("ada", 1))).toEqual(["Ada", 21]);
  expect(marked(claim("ADA2", 1))).toEqual(["ADA2", 9]);
});

it("takes signs in a quote as they are, and letters of any length", () => {
  expect(marked(claim("(IN part)"))[0]).toBe("(in part)");
  expect(marked(claim("who paid."))[0]).toBe("who paid.");
  expect(marked(claim("a.a"))[0]).toBe(segments[1]?.text);
});
