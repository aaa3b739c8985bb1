import type { RowAllowance } from "../domain/rowPool.ts";
import { type SqlFragment, sql } from "./pool.ts";

/** Who pays for a read, with what, and how it is named in the ledger. */
export interface Purchase {
  accountId: string;
  /** First day of the UTC month, `YYYY-MM-01`. */
  period: string;
  allowance: RowAllowance;
  /** Price of each row, in rows of the pool. */
  rows: number;
  requestId: string;
}

/** A table `priced` for `chargeFor`: the rows of a table `found (n, …)`, or the first `limit` of them, at one price each. */
export function pricedBy(purchase: Purchase, limit?: number): SqlFragment {
  return sql.fragment`priced as (
    select n, ${purchase.accountId} as account_id, ${purchase.period}::date as period, ${purchase.allowance.poolRows}::int8 as pool_rows,
      ${purchase.allowance.onDemandLimitRows}::int8 as on_demand_limit_rows, ${purchase.rows}::int8 as rows, ${purchase.requestId} as request_id
    from found ${limit === undefined ? sql.fragment`` : sql.fragment`where n <= ${limit}`}
  )`;
}

/**
 * Common table expressions that charge for what the statement reads, so that a debit and what it paid for are one statement and commit
 * together. They follow a table `priced (n, account_id, period, pool_rows, on_demand_limit_rows, rows, request_id)`: what was found, each
 * with its price in rows and, for `n`, its place in the order in which the account's rows are spent. They leave a table `paid (n, …)`: of
 * each account, the longest prefix that it can pay; a page is thereby cut, a single thing paid or not. All debits of a request are one entry
 * in the ledger.
 */
export function chargeFor(reason: string): SqlFragment {
  return sql.fragment`
    totalled as (
      select *, (sum(rows) over (partition by account_id, period, pool_rows, on_demand_limit_rows order by n))::int8 as total from priced
    ), wanted as (
      -- in one order everywhere, so that statements that debit several accounts never wait for each other in a circle
      select account_id, period, pool_rows, on_demand_limit_rows, array_agg(total) as totals from totalled
      group by account_id, period, pool_rows, on_demand_limit_rows order by account_id, period
    ), debited as materialized (
      select wanted.*, debit.* from wanted,
        lateral debit_rows(account_id, period, wanted.pool_rows, wanted.on_demand_limit_rows, totals) as debit
    ), paid as materialized (
      select totalled.*, greatest(0, rows_used_before + total - greatest(rows_used_before + total - rows, pool_rows)) as on_demand_rows
      from totalled join debited using (account_id, period, pool_rows, on_demand_limit_rows)
      where total <= debited_rows
    ), entered as (
      insert into ledger_entry (account_id, period, rows, on_demand_rows, kind, reason, request_id)
      select account_id, period, sum(rows), sum(on_demand_rows), 'debit', ${reason}, request_id from paid
      group by account_id, period, request_id having sum(rows) > 0 order by min(n)
    )`;
}
