import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { tiers } from "../../domain/plans.ts";
import { generationRows, unlockRows } from "../../domain/prices.ts";
import { payableRows, rowAllowance, type RowPlan, usagePeriod } from "../../domain/rowPool.ts";
import { testSettings } from "../builders/settings.ts";

const settings = testSettings();

function payable(plan: RowPlan, rowsUsed = 0, onDemandRows = 0): number {
  return payableRows(rowAllowance(plan, settings), { rowsUsed, onDemandRows });
}

describe("prices", () => {
  it("counts every started block of 15 minutes, and at least one", () => {
    expect([0, 1, 899.9, 900, 900.01, 36_000].map((seconds) => generationRows(seconds, settings.prices))).toEqual([
      100, 100, 100, 100, 200, 4000,
    ]);
    expect([1, 901].map((seconds) => unlockRows(seconds, settings.prices))).toEqual([50, 100]);
    expect(generationRows(null, settings.prices)).toBe(100);
  });
});

describe("the monthly pool", () => {
  it("is the tier's unless the account has its own, and ends there without on-demand", () => {
    const plan = { tier: "pro", monthlyRows: null, onDemand: false, spendCapCents: null } as const;
    expect(payable(plan)).toBe(10_000);
    expect(payable({ ...plan, monthlyRows: 0 })).toBe(0);
    expect(payable(plan, 9_999)).toBe(1);
    expect(payable(plan, 10_001)).toBe(0);
  });

  it("goes on past the pool at a tenth of a cent a row, up to the cap", () => {
    const plan = { tier: "free", monthlyRows: null, onDemand: true, spendCapCents: 25 } as const;
    expect(payable(plan)).toBe(500 + 250);
    expect(payable({ ...plan, spendCapCents: 0 })).toBe(500);
    expect(payable({ ...plan, spendCapCents: null }, 500)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("counts the cap against on-demand rows only, whatever the pool became meanwhile", () => {
    const plan = { tier: "free", monthlyRows: 1000, onDemand: true, spendCapCents: 25 } as const;
    expect(payable(plan, 700, 200)).toBe(300 + 50);
    expect(payable({ ...plan, monthlyRows: 10 }, 700, 200)).toBe(50);
    expect(payable({ ...plan, monthlyRows: 10, onDemand: false }, 700, 200)).toBe(0);
  });

  it("never allows less with on-demand than without", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...tiers),
        fc.option(fc.nat()),
        fc.option(fc.nat()),
        (tier, monthlyRows, spendCapCents) => {
          const plan = { tier, monthlyRows, spendCapCents };
          expect(payable({ ...plan, onDemand: true })).toBeGreaterThanOrEqual(payable({ ...plan, onDemand: false }));
        },
      ),
    );
  });

  it("turns with the UTC month", () => {
    expect(usagePeriod(new Date("2026-11-30T23:59:59.999Z"))).toBe("2026-11-01");
    expect(usagePeriod(new Date("2026-12-01T00:30:00+01:00"))).toBe("2026-11-01");
    expect(usagePeriod(new Date("2026-12-01T00:00:00Z"))).toBe("2026-12-01");
  });
});
