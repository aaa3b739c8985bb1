import { readAccount } from "../../database/accounts.ts";
import { readRowUse } from "../../database/ledger.ts";
import { ApiError } from "../../domain/errors.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import { usageOf } from "../../domain/usage.ts";
import type { ServiceContext } from "../context.ts";

export interface UsageReport {
  /** The UTC month, `YYYY-MM`. */
  period: string;
  rows_used: number;
  rows_remaining: number;
  monthly_rows: number;
  current_spend_cents: number;
}

/** What the account has used this month, for operators. Throws `account_not_found`. */
export async function readUsage(context: ServiceContext, accountId: string): Promise<UsageReport> {
  const account = await readAccount(context.pool, accountId);
  if (account === null) throw new ApiError("account_not_found");
  const period = usagePeriod(context.clock());
  const usage = usageOf(account, await readRowUse(context.pool, accountId, period), context.settings);
  return {
    period: period.slice(0, 7),
    rows_used: usage.rowsUsed,
    rows_remaining: usage.rowsRemaining,
    monthly_rows: usage.monthlyRows,
    current_spend_cents: usage.currentSpendCents,
  };
}
