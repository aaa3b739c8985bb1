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

/** Rows included in the plan each UTC month. */
export function poolRows(plan: RowPlan, settings: RowPoolSettings): number {
  return plan.monthlyRows ?? settings.monthlyRows[plan.tier];
}

/** The most rows the account may use in a month, on-demand included (decisions.md "Row pool"). */
export function limitRows(plan: RowPlan, settings: RowPoolSettings): number {
  const pool = poolRows(plan, settings);
  if (!plan.onDemand) return pool;
  if (plan.spendCapCents === null) return Number.MAX_SAFE_INTEGER;
  return pool + Math.floor((plan.spendCapCents * 10) / settings.onDemandTenthCentsPerRow);
}

/** The UTC month a moment belongs to, as the date of its first day: `2026-11-01`. */
export function usagePeriod(moment: Date): string {
  return `${moment.toISOString().slice(0, 7)}-01`;
}
