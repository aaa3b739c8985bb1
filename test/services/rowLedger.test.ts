import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { z } from "zod";
import { settleRows } from "../../database/ledger.ts";
import { chargeFor } from "../../database/metering.ts";
import { count, sql } from "../../database/pool.ts";
import { coveredCount } from "../../domain/pageCut.ts";
import { payableRows, rowAllowance, type RowPlan, type RowUse, usagePeriod } from "../../domain/rowPool.ts";
import { updateAccount } from "../../services/accounts/updateAccount.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { chargeRows, readRowAccount } from "../../services/usage/rowAccount.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext({ connections: 20 });
});
afterAll(() => context.close());

async function charge(accountId: string, rows: number, kind: "debit" | "hold" = "debit"): Promise<boolean> {
  const account = await readRowAccount(context, context.pool, accountId);
  return chargeRows(context.pool, account, { rows, kind, reason: "test", subject: "test", requestId: null });
}

async function refund(accountId: string, rows: number): Promise<void> {
  const period = usagePeriod(context.clock());
  const kind = rows === 0 ? "capture" : "refund";
  await settleRows(context.pool, {
    accountId,
    period,
    rows: -rows,
    kind,
    reason: "test",
    subject: "test",
    requestId: null,
  });
}

const sums = z.object({ rows: count, on_demand_rows: count });
async function ledgerSum(accountId: string): Promise<RowUse> {
  const { rows, on_demand_rows } = await context.pool.one(sql.type(sums)`
    select coalesce(sum(rows), 0)::int8 as rows, coalesce(sum(on_demand_rows), 0)::int8 as on_demand_rows
    from ledger_entry where account_id = ${accountId}`);
  return { rowsUsed: rows, onDemandRows: on_demand_rows };
}

type Step =
  | { kind: "charge"; rows: number; hold: boolean }
  | { kind: "refund"; share: number }
  | { kind: "plan"; monthlyRows: number; onDemand: boolean; spendCapCents: number | null };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("charge"), rows: fc.nat(40), hold: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("refund"), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("plan"),
      monthlyRows: fc.nat(100),
      onDemand: fc.boolean(),
      spendCapCents: fc.option(fc.nat(5)),
    }),
  },
);

describe("any sequence of debits, holds, refunds and plan changes", () => {
  it("leaves the use and spend of the model, and a ledger that sums to them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { accountId } = await createCaller(context, { rows: 50 });
        let plan: RowPlan = { tier: "pro", monthlyRows: 50, onDemand: false, spendCapCents: null };
        const model = { rowsUsed: 0, onDemandRows: 0 };
        const agreed: boolean[] = [];
        for (const taken of steps) {
          const allowance = rowAllowance(plan, context.settings);
          switch (taken.kind) {
            case "charge": {
              const covered = taken.rows <= payableRows(allowance, model);
              agreed.push((await charge(accountId, taken.rows, taken.hold ? "hold" : "debit")) === covered);
              if (!covered) break;
              const fromPool = Math.min(taken.rows, Math.max(0, allowance.poolRows - model.rowsUsed));
              model.rowsUsed += taken.rows;
              model.onDemandRows += taken.rows - fromPool;
              break;
            }
            case "refund": {
              const rows = Math.floor(model.rowsUsed * taken.share);
              await refund(accountId, rows);
              model.rowsUsed -= rows;
              model.onDemandRows -= Math.min(model.onDemandRows, rows);
              break;
            }
            case "plan": {
              const { monthlyRows, onDemand, spendCapCents } = taken;
              plan = { tier: "pro", monthlyRows, onDemand, spendCapCents };
              await updateAccount(context, accountId, { monthlyRows, onDemand, spendCapCents });
            }
          }
          expect(await ledgerSum(accountId)).toEqual(model);
          expect(await readUsage(context, accountId)).toMatchObject({
            rows_used: model.rowsUsed,
            current_spend_cents: model.onDemandRows / 10,
          });
        }
        expect(agreed).not.toContain(false);
      }),
      { numRuns: 40 },
    );
  });
});

describe("a pool that changes within the month", () => {
  it("never changes what was spent: neither when it shrinks nor when on-demand is switched off", async () => {
    const { accountId } = await createCaller(context, { rows: 100, onDemand: true });
    await charge(accountId, 130);
    for (const change of [{ monthlyRows: 10 }, { onDemand: false }, { monthlyRows: 1000 }]) {
      await updateAccount(context, accountId, change);
      expect(await readUsage(context, accountId)).toMatchObject({ rows_used: 130, current_spend_cents: 3 });
    }
  });

  it("gives on-demand rows back first", async () => {
    const { accountId } = await createCaller(context, { rows: 100, onDemand: true });
    await charge(accountId, 130, "hold");
    await refund(accountId, 25);
    expect(await readUsage(context, accountId)).toMatchObject({ rows_used: 105, current_spend_cents: 0.5 });
    await refund(accountId, 25);
    expect(await readUsage(context, accountId)).toMatchObject({ rows_used: 80, current_spend_cents: 0 });
  });
});

describe("64 debits and refunds at once", () => {
  it("never pass the cap, and leave a ledger that sums to the counter", async () => {
    const { accountId } = await createCaller(context, { rows: 50, onDemand: true, spendCapCents: 5 });
    const outcomes = await Promise.all(Array.from({ length: 64 }, () => charge(accountId, 3)));
    expect(outcomes.filter(Boolean)).toHaveLength(33);
    expect(await ledgerSum(accountId)).toEqual({ rowsUsed: 99, onDemandRows: 49 });
    for (let round = 0; round < 5; round += 1) {
      await charge(accountId, 90);
      await Promise.all(
        Array.from({ length: 48 }, (_, index) => (index % 2 === 0 ? refund(accountId, 3) : charge(accountId, 3))),
      );
    }
    const { rowsUsed, onDemandRows } = await ledgerSum(accountId);
    expect(await readUsage(context, accountId)).toMatchObject({
      rows_used: rowsUsed,
      current_spend_cents: onDemandRows / 10,
    });
    expect(onDemandRows).toBeLessThanOrEqual(50);
  });
});

/** A list of any prices, charged as a real list will be. */
async function buyPage(accountId: string, prices: readonly number[]): Promise<number> {
  const { allowance, period } = await readRowAccount(context, context.pool, accountId);
  const page = await context.pool.any(sql.type(z.object({ n: z.number() }))`
    with priced as (
      select n, ${accountId} as account_id, ${period}::date as period, ${allowance.poolRows}::int8 as pool_rows,
        ${allowance.onDemandLimitRows}::int8 as on_demand_limit_rows, price as rows, 'req_page' as request_id
      from unnest(${sql.array([...prices], "int8")}) with ordinality as page (price, n)
    ), ${chargeFor("page")}
    select n::int4 from paid order by n`);
  return page.length;
}

describe("a page", () => {
  it("is cut to the prefix that can be paid, of which exactly the price is debited in one entry", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(30), { maxLength: 20 }),
        fc.nat(200),
        fc.nat(60),
        async (prices, pool, spent) => {
          const { accountId } = await createCaller(context, { rows: pool });
          const used = (await charge(accountId, spent)) ? spent : 0;
          const covered = coveredCount(prices, pool - used);
          expect(await buyPage(accountId, prices)).toBe(covered);
          const price = prices.slice(0, covered).reduce((sum, rows) => sum + rows, 0);
          expect(await ledgerSum(accountId)).toEqual({ rowsUsed: used + price, onDemandRows: 0 });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("that straddles the end of the pool is part pool, part on demand", async () => {
    const { accountId } = await createCaller(context, { rows: 12, onDemand: true, spendCapCents: 1 });
    expect(await buyPage(accountId, [5, 5, 5, 5, 10, 10, 10])).toBe(4);
    expect(await ledgerSum(accountId)).toEqual({ rowsUsed: 20, onDemandRows: 8 });
    expect(await readUsage(context, accountId)).toMatchObject({ rows_used: 20, current_spend_cents: 0.8 });
  });
});
