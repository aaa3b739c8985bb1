import { describe, expect, it } from "@jest/globals";
import { rankCandidates } from "../../domain/search/rank.ts";
import { createScorer } from "../../domain/search/score.ts";

const scorerOf = (query: string, ...otherReadings: string[]) =>
  createScorer([query, ...otherReadings].map((text) => text.split(" ")));
const ordered = (query: string, names: readonly string[]) => {
  const score = scorerOf(query);
  return names.toSorted((a, b) => score(b) - score(a));
};

const candidate = (entityId: number, mentionCount: number, key: string) => ({ entityId, mentionCount, key });

describe("the score of a name", () => {
  it("is 1 for the same words, and from 0 to below 1 for others", () => {
    const score = scorerOf("ada lovelace");
    expect(score("ada lovelace")).toBe(1);
    expect(score("charles babbage")).toBeLessThan(0.2);
    for (const other of ["lovelace ada", "ada lovelac", "ada lovelace day", "ada", "countess lovelace"]) {
      expect(score(other)).toBeGreaterThan(0);
      expect(score(other)).toBeLessThan(1);
    }
  });

  it.each([
    ["ada lovelace", ["ada lovelace", "lovelace ada", "ada lovelace day", "ada byron"]],
    ["ada lovelase", ["ada lovelace", "ada lovell"]],
    ["john smith", ["john smith", "jon smith", "jon smyth", "john baker"]],
    ["ada lov", ["ada lov", "ada lovelace", "ada byron"]],
    ["newyork", ["new york", "new york times"]],
    ["face book", ["facebook", "face"]],
    ["adaxlovelace", ["ada lovelace", "adam"]],
  ])("%s: %j, in this order", (query, names) => {
    expect(ordered(query, names.toReversed())).toEqual(names);
  });

  it("is the same for all longer names that have the words, so that mentions decide", () => {
    const score = scorerOf("kennedy");
    expect(score("john kennedy")).toBe(score("john fitzgerald kennedy"));
    expect(score("kennedy center")).toBe(score("john kennedy"));
  });

  it("of other readings is a little below that of what was typed", () => {
    const score = scorerOf("face book pages", "facebook pages");
    expect(score("facebook pages inc")).toBeGreaterThan(0.8);
    expect(score("facebook pages inc")).toBeLessThan(score("face book pages inc"));
  });

  it("takes no word of a name twice", () => {
    const score = scorerOf("duran duran");
    expect(score("duran duran")).toBeGreaterThan(score("duran"));
  });
});

describe("the order of results", () => {
  it("is by score, then mentions, then number; each entity once, by its best name; too low scores are left out", () => {
    const ranked = rankCandidates(
      [
        candidate(5, 10, "jon smith"),
        candidate(4, 10, "jon smith"),
        candidate(3, 99, "jon smith"),
        candidate(2, 0, "smith"),
        candidate(2, 0, "john smith"),
        candidate(1, 1000, "mary jones"),
      ],
      scorerOf("john smith"),
    );
    expect(ranked.map(({ entityId }) => entityId)).toEqual([2, 3, 4, 5]);
    expect(ranked[0]).toMatchObject({ key: "john smith", score: 1 });
  });
});
