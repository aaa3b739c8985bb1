import { type Account, readAccount } from "../../database/accounts.ts";
import { readRowUse } from "../../database/ledger.ts";
import { readSnapshot } from "../../database/pool.ts";
import { type FullEntry, listDayUse, listEntries, listMonthUse, type MonthUse } from "../../database/usageHistory.ts";
import { ApiError } from "../../domain/errors.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import { type Usage, usageOf } from "../../domain/usage.ts";
import { lastMonths, type RowsMoved, useByDay, useByReason } from "../../domain/usageHistory.ts";
import type { ServiceContext } from "../context.ts";

const monthsShown = 12;

/** An account and where its rows went. */
export interface AccountUse {
  account: Account;
  /** The present UTC month, `YYYY-MM-01`, and its use. */
  presentPeriod: string;
  usage: Usage;
  /** The month that days and reasons are of. */
  period: string;
  days: readonly (RowsMoved & { day: string })[];
  reasons: readonly (RowsMoved & { reason: string })[];
  /** The twelve months up to the present one, those without use included. */
  months: readonly MonthUse[];
}

/** An account with its use of this month, of the days of a month (null: of this one) and of the last twelve. Throws `account_not_found`. */
export async function readAccountUse(
  context: ServiceContext,
  accountId: string,
  askedPeriod: string | null,
): Promise<AccountUse> {
  const presentPeriod = usagePeriod(context.clock());
  const period = askedPeriod ?? presentPeriod;
  const periods = lastMonths(presentPeriod, monthsShown);
  return readSnapshot(context.pool, async (transaction) => {
    const account = await readAccount(transaction, accountId);
    if (account === null) throw new ApiError("account_not_found");
    const use = await readRowUse(transaction, accountId, presentPeriod);
    const uses = await listDayUse(transaction, accountId, period);
    const used = await listMonthUse(transaction, accountId, { from: periods[0] ?? presentPeriod, to: presentPeriod });
    const months = periods.map(
      (each) => used.find((month) => month.period === each) ?? { period: each, rowsUsed: 0, onDemandRows: 0 },
    );
    return {
      account,
      presentPeriod,
      usage: usageOf(account, use, context.settings),
      period,
      days: useByDay(period, uses),
      reasons: useByReason(uses),
      months,
    };
  });
}

/** A page of the account's entries of a month, newest first. Throws `account_not_found`. */
export async function listAccountEntries(
  { pool }: ServiceContext,
  accountId: string,
  period: string,
  page: { limit: number; beforeId: number | null },
): Promise<{ entries: readonly FullEntry[]; hasMore: boolean }> {
  if ((await readAccount(pool, accountId)) === null) throw new ApiError("account_not_found");
  const found = await listEntries(pool, accountId, period, { ...page, limit: page.limit + 1 });
  return { entries: found.slice(0, page.limit), hasMore: found.length > page.limit };
}
