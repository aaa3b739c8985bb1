import { payableRows, poolRowsLeft, rowAllowance, type RowPlan, type RowPoolSettings, type RowUse } from "./rowPool.ts";

/** What an account has used of its pool this month (specification, "Usage block"). */
export interface Usage {
  rowsUsed: number;
  /** Of the pool, on-demand rows not counted; never negative. */
  rowsRemaining: number;
  monthlyRows: number;
  /** Price of the on-demand rows; tenths of a cent are kept. */
  currentSpendCents: number;
}

/** The usage block of a month. */
export function usageOf(plan: RowPlan, use: RowUse, settings: RowPoolSettings): Usage {
  const allowance = rowAllowance(plan, settings);
  return {
    rowsUsed: use.rowsUsed,
    rowsRemaining: poolRowsLeft(allowance, use),
    monthlyRows: allowance.poolRows,
    currentSpendCents: (use.onDemandRows * settings.onDemandTenthCentsPerRow) / 10,
  };
}

/** Whether not one more row can be paid: the pool is used up and on-demand is off or at its cap (decisions.md "Row pool"). */
export function isExhausted(plan: RowPlan, use: RowUse, settings: RowPoolSettings): boolean {
  return payableRows(rowAllowance(plan, settings), use) === 0;
}
