import { z } from "zod";
import { type Tier, tiers } from "../domain/plans.ts";
import { count, type Queryable, type SqlFragment, sql, timestamp } from "./pool.ts";
import { startsWith } from "./startsWith.ts";

const accountRow = z
  .object({
    id: z.string(),
    email: z.string(),
    tier: z.enum(tiers),
    api_enabled: z.boolean(),
    monthly_rows: count.nullable(),
    on_demand: z.boolean(),
    spend_cap_cents: z.number().nullable(),
    created_at: timestamp,
  })
  .transform((row) => ({
    accountId: row.id,
    email: row.email,
    tier: row.tier,
    apiEnabled: row.api_enabled,
    monthlyRows: row.monthly_rows,
    onDemand: row.on_demand,
    spendCapCents: row.spend_cap_cents,
    createdAt: row.created_at,
  }));
export type Account = z.infer<typeof accountRow>;

const columns = sql.fragment`id, email, tier, api_enabled, monthly_rows, on_demand, spend_cap_cents, created_at`;

export interface NewAccount {
  accountId: string;
  email: string;
  tier: Tier;
  monthlyRows: number | null;
  onDemand: boolean;
  spendCapCents: number | null;
}

export async function insertAccount(db: Queryable, account: NewAccount): Promise<Account> {
  return db.one(sql.type(accountRow)`
    insert into account (id, email, tier, monthly_rows, on_demand, spend_cap_cents)
    values (${account.accountId}, ${account.email}, ${account.tier}, ${account.monthlyRows}, ${account.onDemand}, ${account.spendCapCents})
    returning ${columns}`);
}

export interface AccountChange {
  tier?: Tier | undefined;
  monthlyRows?: number | null | undefined;
  onDemand?: boolean | undefined;
  spendCapCents?: number | null | undefined;
  apiEnabled?: boolean | undefined;
}

/** Writes the fields that are set; returns null when there is no such account. */
export async function updateAccount(db: Queryable, accountId: string, change: AccountChange): Promise<Account | null> {
  const assignments = [
    change.tier === undefined ? null : sql.fragment`tier = ${change.tier}`,
    change.monthlyRows === undefined ? null : sql.fragment`monthly_rows = ${change.monthlyRows}`,
    change.onDemand === undefined ? null : sql.fragment`on_demand = ${change.onDemand}`,
    change.spendCapCents === undefined ? null : sql.fragment`spend_cap_cents = ${change.spendCapCents}`,
    change.apiEnabled === undefined ? null : sql.fragment`api_enabled = ${change.apiEnabled}`,
  ].filter((assignment) => assignment !== null);
  if (assignments.length === 0) return readAccount(db, accountId);
  return db.maybeOne(sql.type(accountRow)`
    update account set ${sql.join(assignments, sql.fragment`, `)} where id = ${accountId} returning ${columns}`);
}

export async function readAccount(db: Queryable, accountId: string): Promise<Account | null> {
  return db.maybeOne(sql.type(accountRow)`select ${columns} from account where id = ${accountId}`);
}

const listedRow = z
  .object({ folded_email: z.string() })
  .and(accountRow)
  .transform(({ folded_email, ...account }) => ({ ...account, foldedEmail: folded_email }));
/** An account, with what lists by address are ordered by. */
export type ListedAccount = z.output<typeof listedRow>;

/** Which accounts are looked for: all, those whose id begins so, or those whose address begins so in any case. */
export type AccountSearch = { by: "none" } | { by: "id"; prefix: string } | { by: "email"; prefix: string };

/** Where a page ends. */
export interface AccountPosition {
  foldedEmail: string;
  accountId: string;
}

export interface AccountPage {
  limit: number;
  after: AccountPosition | null;
}

/** Accounts, newest first, or by address where one is looked for. */
export async function listAccounts(
  db: Queryable,
  search: AccountSearch,
  page: AccountPage,
): Promise<readonly ListedAccount[]> {
  return db.any(sql.type(listedRow)`${accountsStatement(search, page)}`);
}

const foldedEmail = sql.fragment`(lower(email) collate "C")`;

/** The statement of `listAccounts`, so that its plan can be looked at. */
export function accountsStatement(search: AccountSearch, { limit, after }: AccountPage): SqlFragment {
  const selected = sql.fragment`select ${columns}, ${foldedEmail} as folded_email from account`;
  const older = after === null ? sql.fragment`true` : sql.fragment`id < ${after.accountId}`;
  switch (search.by) {
    case "none":
      return sql.fragment`${selected} where ${older} order by id desc limit ${limit}`;
    case "id":
      return sql.fragment`${selected} where ${startsWith(sql.fragment`id`, search.prefix)} and ${older} order by id desc limit ${limit}`;
    case "email": {
      const behind =
        after === null
          ? sql.fragment`true`
          : sql.fragment`(${foldedEmail}, id) > (${after.foldedEmail}, ${after.accountId})`;
      return sql.fragment`${selected} where ${startsWith(foldedEmail, search.prefix)} and ${behind} order by ${foldedEmail}, id limit ${limit}`;
    }
  }
}
