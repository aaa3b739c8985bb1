import { readAccount } from "../../database/accounts.ts";
import { type ApiKey, listKeys as selectKeys } from "../../database/keys.ts";
import { ApiError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";

/** A page of an account's keys, newest first, deleted ones too. Throws `account_not_found`. */
export async function listKeys(
  context: ServiceContext,
  accountId: string,
  page: { limit: number; beforeId: string | null },
): Promise<{ keys: readonly ApiKey[]; hasMore: boolean }> {
  if ((await readAccount(context.pool, accountId)) === null) throw new ApiError("account_not_found");
  const found = await selectKeys(context.pool, accountId, { ...page, limit: page.limit + 1 });
  return { keys: found.slice(0, page.limit), hasMore: found.length > page.limit };
}
