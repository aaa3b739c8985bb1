import { z } from "zod";
import type { RowAllowance, RowUse } from "../domain/rowPool.ts";
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

/** Debits `entry.rows` if the month's allowance covers them all; returns whether it did. */
export async function debitRows(db: Queryable, entry: LedgerEntry, allowance: RowAllowance): Promise<boolean> {
  const { rowCount } = await db.query(sql.typeAlias("void")`
    with debited as materialized (
      select * from debit_rows(${entry.accountId}, ${entry.period}::date, ${allowance.poolRows}::int8, ${allowance.onDemandLimitRows}::int8,
        array[${entry.rows}::int8])
    )
    insert into ledger_entry (account_id, period, rows, on_demand_rows, kind, reason, subject, request_id)
    select ${entry.accountId}, ${entry.period}::date, debited_rows,
      greatest(rows_used_before + debited_rows - greatest(rows_used_before, ${allowance.poolRows}::int8), 0),
      ${entry.kind}, ${entry.reason}, ${entry.subject}, ${entry.requestId}
    from debited where debited_rows > 0`);
  return rowCount > 0;
}

/**
 * Settles rows that were held: gives back (`rows` below zero), on-demand rows first, or, for a capture at the held price (zero), records
 * the end of the hold.
 */
export async function settleRows(db: Queryable, entry: LedgerEntry): Promise<void> {
  await db.query(sql.typeAlias("void")`
    insert into ledger_entry (account_id, period, rows, on_demand_rows, kind, reason, subject, request_id)
    select ${entry.accountId}, ${entry.period}::date, ${entry.rows}::int8, -on_demand_back, ${entry.kind}, ${entry.reason}, ${entry.subject},
      ${entry.requestId}
    from give_rows_back(${entry.accountId}, ${entry.period}::date, -${entry.rows}::int8)`);
}

const rowUse = z
  .object({ rows_used: count, on_demand_rows: count })
  .transform((row): RowUse => ({ rowsUsed: row.rows_used, onDemandRows: row.on_demand_rows }));

/** What an account has used in a month. */
export async function readRowUse(db: Queryable, accountId: string, period: string): Promise<RowUse> {
  const use = await db.maybeOne(sql.type(rowUse)`
    select rows_used, on_demand_rows from usage_counter where account_id = ${accountId} and period = ${period}::date`);
  return use ?? { rowsUsed: 0, onDemandRows: 0 };
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
