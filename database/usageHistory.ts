import { z } from "zod";
import { count, type Queryable, type SqlFragment, sql, timestamp } from "./pool.ts";

const dayRow = z
  .object({ day: z.string(), reason: z.string(), taken_rows: count, returned_rows: count })
  .transform((row) => ({
    /** UTC, `YYYY-MM-DD`. */
    day: row.day,
    reason: row.reason,
    takenRows: row.taken_rows,
    /** Zero or more. */
    returnedRows: row.returned_rows,
  }));
/** What an account used for one reason on one day. */
export type DayUse = z.output<typeof dayRow>;

/** A month's ledger summed by day and reason. What is settled after the month's end counts on that later day. */
export async function listDayUse(db: Queryable, accountId: string, period: string): Promise<readonly DayUse[]> {
  return db.any(sql.type(dayRow)`${dayUseStatement(accountId, period)}`);
}

/** The statement of `listDayUse`, so that its plan can be looked at. */
export function dayUseStatement(accountId: string, period: string): SqlFragment {
  return sql.fragment`
    select day::text, reason, taken_rows, returned_rows from (
      select (created_at at time zone 'UTC')::date as day, reason, sum(greatest(rows, 0))::int8 as taken_rows,
        sum(greatest(-rows, 0))::int8 as returned_rows
      from ledger_entry where account_id = ${accountId} and period = ${period}::date group by 1, 2
    ) as summed order by day, reason`;
}

const monthRow = z
  .object({ period: z.string(), rows_used: count, on_demand_rows: count })
  .transform((row) => ({ period: row.period, rowsUsed: row.rows_used, onDemandRows: row.on_demand_rows }));
/** What an account used in a month that it used anything in. */
export type MonthUse = z.output<typeof monthRow>;

/** The months from one to another, both included, oldest first. */
export async function listMonthUse(
  db: Queryable,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<readonly MonthUse[]> {
  return db.any(sql.type(monthRow)`
    select period::text, rows_used, on_demand_rows from usage_counter
    where account_id = ${accountId} and period between ${from}::date and ${to}::date order by period`);
}

const entryRow = z
  .object({
    id: count,
    at: timestamp,
    rows: count,
    on_demand_rows: count,
    kind: z.enum(["debit", "hold", "capture", "refund"]),
    reason: z.string(),
    subject: z.string().nullable(),
    request_id: z.string().nullable(),
  })
  .transform((row) => ({
    entryId: row.id,
    at: row.at,
    rows: row.rows,
    onDemandRows: row.on_demand_rows,
    kind: row.kind,
    reason: row.reason,
    subject: row.subject,
    requestId: row.request_id,
  }));
/** An entry of the ledger in full. */
export type FullEntry = z.output<typeof entryRow>;

export interface EntryPage {
  limit: number;
  /** The last entry of the page before. */
  beforeId: number | null;
}

/** A month's entries, newest first. */
export async function listEntries(
  db: Queryable,
  accountId: string,
  period: string,
  page: EntryPage,
): Promise<readonly FullEntry[]> {
  return db.any(sql.type(entryRow)`${entriesStatement(accountId, period, page)}`);
}

/** The statement of `listEntries`, so that its plan can be looked at. */
export function entriesStatement(accountId: string, period: string, { limit, beforeId }: EntryPage): SqlFragment {
  return sql.fragment`
    select id, created_at as at, rows, on_demand_rows, kind, reason, subject, request_id from ledger_entry
    where (account_id, period, id) < (${accountId}, ${period}::date, ${beforeId ?? Number.MAX_SAFE_INTEGER}::int8)
      and (account_id, period) >= (${accountId}, ${period}::date)
    order by account_id desc, period desc, id desc limit ${limit}`;
}
