import { describe, expect, it } from "@jest/globals";
import { catalogue, passagesOf, transcriptOf } from "../../bench/detection/passages.ts";
import { nameKeys } from "../../domain/detection/nameKeys.ts";
import type { SpokenSegment } from "../../domain/detection/types.ts";
import { foldName } from "../../domain/names.ts";

const names = new Set(catalogue.flatMap(({ name, aliases }) => [name, ...aliases].map(foldName)));
const beginnings = new Set(
  [...names].flatMap((name) => name.split(" ").map((_, n, words) => words.slice(0, n).join(" "))),
);

/** The names that a text may hold, and how often was asked for how many beginnings. */
function find(segments: readonly SpokenSegment[], count = segments.length) {
  const search = nameKeys(segments, count);
  let [asked, rounds] = [0, 0];
  let step = search.next();
  for (; step.done !== true; rounds += 1) {
    asked += step.value.length;
    const known = step.value.map((text) => [text, { isName: names.has(text), goesOn: beginnings.has(text) }] as const);
    step = search.next(new Map(known));
  }
  return { keys: step.value, asked, rounds };
}

describe("names that a text may hold", () => {
  const segments = passagesOf("report").flatMap((passage) => transcriptOf(passage).input.segments.slice());
  const words = segments.flatMap(({ text }) => text.split(" ")).length;

  it("are found by a few questions a word, in few rounds", () => {
    const { keys, asked, rounds } = find(segments);
    expect(keys.size).toBeGreaterThan(30);
    expect(asked).toBeLessThan(4 * words);
    expect(rounds).toBeLessThan(20);
  });

  it("are the same when the text is read in parts, each with what follows it", () => {
    const together = new Set<string>();
    for (const n of segments.keys()) for (const key of find(segments.slice(n, n + 30), 1).keys) together.add(key);
    expect(together).toEqual(find(segments).keys);
  });

  it("are looked for in addresses of any length at a bounded cost", () => {
    const text = `${"a".repeat(5000)}.com`;
    const segment = { id: "seg_0", startSeconds: 0, endSeconds: 9, text, speaker: null };
    expect(find([segment]).asked).toBeLessThan(20);
  });
});
