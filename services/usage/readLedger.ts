import { listLedger } from "../../database/ledger.ts";
import type { ServiceContext } from "../context.ts";
import { readRowAccount } from "./rowAccount.ts";

export interface LedgerLine {
  at: Date;
  rows: number;
  reason: string;
  request_id: string | null;
}

/** The account's entries of this month, oldest first; their rows sum to the use shown. Throws `account_not_found`. */
export async function readLedger(context: ServiceContext, accountId: string): Promise<LedgerLine[]> {
  const { period } = await readRowAccount(context, context.pool, accountId);
  const entries = await listLedger(context.pool, accountId, period);
  return entries.map(({ at, rows, reason, request_id }) => ({ at, rows, reason, request_id }));
}
