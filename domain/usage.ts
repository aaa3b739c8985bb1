import { limitRows, poolRows, type RowPlan, type RowPoolSettings } from "./rowPool.ts";

/** What an account has used of its pool this month (specification, "Usage block"). */
export interface Usage {
  rowsUsed: number;
  /** Of the pool, on-demand rows not counted; never negative. */
  rowsRemaining: number;
  monthlyRows: number;
  /** Price of the rows past the pool; tenths of a cent are kept. */
  currentSpendCents: number;
}

/** The usage block of a month in which the account has used `rowsUsed` rows. */
export function usageOf(plan: RowPlan, rowsUsed: number, settings: RowPoolSettings): Usage {
  const monthlyRows = poolRows(plan, settings);
  const rowsPastPool = Math.max(0, rowsUsed - monthlyRows);
  return {
    rowsUsed,
    rowsRemaining: Math.max(0, monthlyRows - rowsUsed),
    monthlyRows,
    currentSpendCents: (rowsPastPool * settings.onDemandTenthCentsPerRow) / 10,
  };
}

/** Whether not one more row can be paid: the pool is used up and on-demand is off or at its cap (decisions.md "Row pool"). */
export function isExhausted(plan: RowPlan, rowsUsed: number, settings: RowPoolSettings): boolean {
  return rowsUsed >= limitRows(plan, settings);
}
