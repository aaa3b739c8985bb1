import { readAccount } from "../../database/accounts.ts";
import { debitRows, type LedgerKind, readRowUse } from "../../database/ledger.ts";
import type { Queryable } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import { poolRowsLeft, type RowAllowance, rowAllowance, type RowUse, usagePeriod } from "../../domain/rowPool.ts";
import type { ServiceContext } from "../context.ts";

/** An account's rows in the current UTC month. */
export interface RowAccount {
  accountId: string;
  period: string;
  use: RowUse;
  allowance: RowAllowance;
}

/** Reads what the account may use and has used this month. Throws `account_not_found`. */
export async function readRowAccount(context: ServiceContext, db: Queryable, accountId: string): Promise<RowAccount> {
  const account = await readAccount(db, accountId);
  if (account === null) throw new ApiError("account_not_found");
  const period = usagePeriod(context.clock());
  return {
    accountId,
    period,
    use: await readRowUse(db, accountId, period),
    allowance: rowAllowance(account, context.settings),
  };
}

/** Rows of the pool that are left, never negative. */
export function remainingRows(account: RowAccount): number {
  return poolRowsLeft(account.allowance, account.use);
}

export interface Charge {
  rows: number;
  kind: LedgerKind;
  reason: string;
  subject: string;
  requestId: string | null;
}

/** Debits the rows if the account can pay them; returns whether it could. Commits with the caller's transaction. */
export async function chargeRows(
  db: Queryable,
  account: Pick<RowAccount, "accountId" | "period" | "allowance">,
  charge: Charge,
): Promise<boolean> {
  if (charge.rows === 0) return true;
  return debitRows(db, { accountId: account.accountId, period: account.period, ...charge }, account.allowance);
}
