import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { matchKept } from "../../domain/keptIds.ts";

const place = (group: string, startSeconds: number, endSeconds = startSeconds + 1) => ({
  group,
  startSeconds,
  endSeconds,
  words: null,
});

const at = (startSeconds: number, charStart: number, segmentId = "seg_1") => ({
  ...place("a", startSeconds),
  words: { segmentId, charStart, charEnd: charStart + 5 },
});

describe("matchKept", () => {
  it("keeps what stands where it stood, and what a better engine moved a little", () => {
    const before = [place("a", 10), place("a", 20), place("b", 10), place("a", 90)];
    const after = [place("a", 20), place("a", 11.5), place("b", 10.2), place("a", 40), place("c", 10)];
    expect(matchKept(before, after)).toEqual([1, 0, 2, null, null]);
  });

  it("gives the same place before the near one, whatever the order", () => {
    expect(matchKept([place("a", 10), place("a", 11)], [place("a", 9), place("a", 10), place("a", 11)])).toEqual([
      null,
      0,
      1,
    ]);
  });

  it("gives what is said in the same words before what is said at the same time", () => {
    expect(matchKept([at(10, 30), at(20, 50)], [at(10, 0), at(14, 30), at(20, 50, "seg_2")])).toEqual([null, 0, 1]);
  });

  it("gives no id twice, only within a group, and all of them when nothing changed", () => {
    const places = fc.array(
      fc.record({
        group: fc.constantFrom("a", "b"),
        startSeconds: fc.integer({ min: 0, max: 40 }),
        endSeconds: fc.integer({ min: 41, max: 44 }),
        words: fc.constant(null),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(places, places, (before, after) => {
        const kept = matchKept(before, after);
        const given = kept.filter((index) => index !== null);
        expect(new Set(given).size).toBe(given.length);
        const otherGroup = kept.filter(
          (index, position) => index !== null && before[index]?.group !== after[position]?.group,
        );
        expect(otherGroup).toEqual([]);
        expect(matchKept(before, before).every((index) => index !== null)).toBe(true);
      }),
    );
  });
});
