import type { Tier } from "./plans.ts";

/** What decides how many rows an account may use in a month. */
export interface RowPlan {
  tier: Tier;
  /** The account's own pool; null means the pool of its tier. */
  monthlyRows: number | null;
  onDemand: boolean;
  spendCapCents: number | null;
}

export interface RowPoolSettings {
  monthlyRows: Record<Tier, number>;
  onDemandTenthCentsPerRow: number;
}

/** What an account may use in a month: the rows of its pool, and rows bought one by one past it. */
export interface RowAllowance {
  poolRows: number;
  /** 0 while on-demand is off; `Number.MAX_SAFE_INTEGER` without a cap. */
  onDemandLimitRows: number;
}

/** What an account has used in a month. */
export interface RowUse {
  rowsUsed: number;
  /** Of them, those past the pool as it was when they were debited. */
  onDemandRows: number;
}

/** What the plan allows each UTC month (decisions.md "Row pool"). */
export function rowAllowance(plan: RowPlan, settings: RowPoolSettings): RowAllowance {
  return {
    poolRows: plan.monthlyRows ?? settings.monthlyRows[plan.tier],
    onDemandLimitRows: onDemandLimitRows(plan, settings),
  };
}

function onDemandLimitRows({ onDemand, spendCapCents }: RowPlan, settings: RowPoolSettings): number {
  if (!onDemand) return 0;
  if (spendCapCents === null) return Number.MAX_SAFE_INTEGER;
  return Math.floor((spendCapCents * 10) / settings.onDemandTenthCentsPerRow);
}

/** Rows of the pool that are left; never negative. */
export function poolRowsLeft(allowance: RowAllowance, use: RowUse): number {
  return Math.max(0, allowance.poolRows - use.rowsUsed);
}

/**
 * The most rows that can be debited now: what is left of the pool, and of the on-demand rows that the cap allows. A pool that shrank and
 * an on-demand that was switched off leave what was used as it is. The database's `debit_rows` applies the same rule under its lock.
 */
export function payableRows(allowance: RowAllowance, use: RowUse): number {
  return poolRowsLeft(allowance, use) + Math.max(0, allowance.onDemandLimitRows - use.onDemandRows);
}

/** The UTC month a moment belongs to, as the date of its first day: `2026-11-01`. */
export function usagePeriod(moment: Date): string {
  return `${moment.toISOString().slice(0, 7)}-01`;
}
