import { z } from "zod";
import { count, type Queryable, sql, timestamp } from "./pool.ts";

export type LedgerKind = "debit" | "hold" | "capture" | "refund";

export interface LedgerEntry {
  accountId: string;
  /** First day of the UTC month, `YYYY-MM-01`. */
  period: string;
  rows: number;
  kind: LedgerKind;
  reason: string;
  subject: string | null;
  requestId: string | null;
}

/**
 * Debits `entry.rows` unless the month's use would pass `limitRows`. The counter's row lock orders racing debits, so the limit
 * holds however many run at once. Returns the month's use afterwards, or null when the pool does not cover the rows.
 */
export async function debitRows(db: Queryable, entry: LedgerEntry, limitRows: number): Promise<number | null> {
  return db.maybeOneFirst(sql.type(z.object({ rows_used: count }))`
    with charged as (
      insert into usage_counter (account_id, period, rows_used)
      select ${entry.accountId}, ${entry.period}::date, ${entry.rows} where ${entry.rows} <= ${limitRows}::bigint
      on conflict (account_id, period) do update set rows_used = usage_counter.rows_used + excluded.rows_used
      where usage_counter.rows_used + excluded.rows_used <= ${limitRows}::bigint
      returning rows_used
    ), entered as (
      insert into ledger_entry (account_id, period, rows, kind, reason, subject, request_id)
      select ${entry.accountId}, ${entry.period}::date, ${entry.rows}, ${entry.kind}, ${entry.reason}, ${entry.subject}, ${entry.requestId} from charged
    )
    select rows_used from charged`);
}

/** Settles rows that were held: gives back (`rows` below zero) or, for a capture at the held price, records the end of the hold (zero). */
export async function settleRows(db: Queryable, entry: LedgerEntry): Promise<void> {
  await db.query(sql.typeAlias("void")`
    with settled as (
      update usage_counter set rows_used = rows_used + ${entry.rows}
      where account_id = ${entry.accountId} and period = ${entry.period}::date
    )
    insert into ledger_entry (account_id, period, rows, kind, reason, subject, request_id)
    values (${entry.accountId}, ${entry.period}::date, ${entry.rows}, ${entry.kind}, ${entry.reason}, ${entry.subject}, ${entry.requestId})`);
}

/** Rows used by an account in a month. */
export async function readRowsUsed(db: Queryable, accountId: string, period: string): Promise<number> {
  const used = await db.maybeOneFirst(sql.type(z.object({ rows_used: count }))`
    select rows_used from usage_counter where account_id = ${accountId} and period = ${period}::date`);
  return used ?? 0;
}

const ledgerRow = z.object({
  at: timestamp,
  rows: count,
  reason: z.string(),
  kind: z.string(),
  subject: z.string().nullable(),
  request_id: z.string().nullable(),
});
export type LedgerRow = z.infer<typeof ledgerRow>;

/** The month's entries in the order they were made. */
export async function listLedger(db: Queryable, accountId: string, period: string): Promise<readonly LedgerRow[]> {
  return db.any(sql.type(ledgerRow)`
    select created_at as at, rows, reason, kind, subject, request_id from ledger_entry
    where account_id = ${accountId} and period = ${period}::date order by id`);
}

const ledgerPageRow = ledgerRow.extend({ id: count });

/** A page of the month's entries in the order they were made; `afterId` starts behind that entry. */
export async function listLedgerPage(
  db: Queryable,
  accountId: string,
  period: string,
  page: { limit: number; afterId: number },
): Promise<readonly z.infer<typeof ledgerPageRow>[]> {
  return db.any(sql.type(ledgerPageRow)`
    select id, created_at as at, rows, reason, kind, subject, request_id from ledger_entry
    where account_id = ${accountId} and period = ${period}::date and id > ${page.afterId} order by id limit ${page.limit}`);
}
