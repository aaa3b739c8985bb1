import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { coveredCount, cutPage } from "../../domain/pageCut.ts";

describe("a page of priced rows", () => {
  it("is covered as far as the pool reaches, and never beyond", () => {
    expect([0, 1, 11, 12, 21, 100].map((payable) => coveredCount([1, 10, 1, 10], payable))).toEqual([0, 1, 2, 3, 3, 4]);
    fc.assert(
      fc.property(fc.array(fc.nat(100)), fc.nat(2000), (prices, payable) => {
        const covered = coveredCount(prices, payable);
        const price = (length: number) => prices.slice(0, length).reduce((sum, rows) => sum + rows, 0);
        expect(price(covered)).toBeLessThanOrEqual(payable);
        expect(covered === prices.length || price(covered + 1) > payable).toBe(true);
      }),
    );
  });

  it("says that there is more when it was cut or when rows follow it", () => {
    expect(cutPage({ found: 20, paid: 20, moreExist: false })).toEqual({ kind: "page", hasMore: false });
    expect(cutPage({ found: 20, paid: 20, moreExist: true })).toEqual({ kind: "page", hasMore: true });
    expect(cutPage({ found: 20, paid: 7, moreExist: false })).toEqual({ kind: "page", hasMore: true });
  });

  it("is refused when not one row is covered, but never when it is empty", () => {
    expect(cutPage({ found: 20, paid: 0, moreExist: true })).toEqual({ kind: "quota_exceeded" });
    expect(cutPage({ found: 0, paid: 0, moreExist: false })).toEqual({ kind: "page", hasMore: false });
  });
});
