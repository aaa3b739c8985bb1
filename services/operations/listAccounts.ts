import {
  type AccountPage,
  type AccountSearch,
  type ListedAccount,
  listAccounts as selectAccounts,
} from "../../database/accounts.ts";
import { accountIdPrefix } from "../../domain/ids.ts";
import type { ServiceContext } from "../context.ts";

/** A page of the accounts whose id or address begins as `sought`; all, newest first, where nothing is sought. */
export async function listAccounts(
  { pool }: ServiceContext,
  sought: string | null,
  page: AccountPage,
): Promise<{ accounts: readonly ListedAccount[]; hasMore: boolean }> {
  const found = await selectAccounts(pool, searchFor(sought), { ...page, limit: page.limit + 1 });
  return { accounts: found.slice(0, page.limit), hasMore: found.length > page.limit };
}

function searchFor(sought: string | null): AccountSearch {
  if (sought === null) return { by: "none" };
  return { by: sought.startsWith(accountIdPrefix) ? "id" : "email", prefix: sought };
}
