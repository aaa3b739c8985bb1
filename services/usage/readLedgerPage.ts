import { listLedgerPage } from "../../database/ledger.ts";
import type { ServiceContext } from "../context.ts";
import type { LedgerLine } from "./readLedger.ts";
import { readRowAccount } from "./rowAccount.ts";

/** Where a page of the ledger ends: the month it is of, and its last entry. */
export interface LedgerPosition {
  period: string;
  entryId: number;
}

/** A page of the account's entries of this month, oldest first; later pages stay in the month of the first. Throws `account_not_found`. */
export async function readLedgerPage(
  context: ServiceContext,
  accountId: string,
  page: { limit: number; after: LedgerPosition | null },
): Promise<{ lines: LedgerLine[]; next: LedgerPosition | null }> {
  const { period: present } = await readRowAccount(context, context.pool, accountId);
  const period = page.after?.period ?? present;
  const found = await listLedgerPage(context.pool, accountId, period, {
    limit: page.limit + 1,
    afterId: page.after?.entryId ?? 0,
  });
  const entries = found.slice(0, page.limit);
  const last = entries.at(-1);
  return {
    lines: entries.map(({ at, rows, reason, request_id }) => ({ at, rows, reason, request_id })),
    next: found.length > page.limit && last !== undefined ? { period, entryId: last.id } : null,
  };
}
