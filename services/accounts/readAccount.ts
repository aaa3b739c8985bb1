import { type Account, readAccount as selectAccount } from "../../database/accounts.ts";
import { ApiError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";

/** The account as it is now. Throws `account_not_found`. */
export async function readAccount(context: ServiceContext, accountId: string): Promise<Account> {
  const account = await selectAccount(context.pool, accountId);
  if (account === null) throw new ApiError("account_not_found");
  return account;
}
