import { type Account, type AccountChange, updateAccount as writeAccount } from "../../database/accounts.ts";
import type { Queryable } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";

/** Changes what is set in `change`; takes effect with the next request. Throws `account_not_found`. */
export async function updateAccount(
  context: ServiceContext,
  accountId: string,
  change: AccountChange,
  db: Queryable = context.pool,
): Promise<Account> {
  const account = await writeAccount(db, accountId, change);
  if (account === null) throw new ApiError("account_not_found");
  return account;
}
