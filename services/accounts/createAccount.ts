import { type Account, insertAccount } from "../../database/accounts.ts";
import type { Queryable } from "../../database/pool.ts";
import { newId } from "../../domain/ids.ts";
import type { Tier } from "../../domain/plans.ts";
import type { ServiceContext } from "../context.ts";

export interface CreateAccountInput {
  email: string;
  tier: Tier;
  monthlyRows?: number | undefined;
  onDemand?: boolean | undefined;
  spendCapCents?: number | undefined;
}

/** Creates an account; its month starts with nothing used. */
export async function createAccount(
  context: ServiceContext,
  input: CreateAccountInput,
  db: Queryable = context.pool,
): Promise<Account> {
  return insertAccount(db, {
    accountId: newId("account"),
    email: input.email,
    tier: input.tier,
    monthlyRows: input.monthlyRows ?? null,
    onDemand: input.onDemand ?? false,
    spendCapCents: input.spendCapCents ?? null,
  });
}
