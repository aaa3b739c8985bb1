import { buyCards as buyResolved, countEntities, type Entity } from "../../database/entities.ts";
import { ApiError } from "../../domain/errors.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import type { MeteredCaller, ServiceContext } from "../context.ts";
import { type RowQuote, rowQuote } from "../usage/rowQuote.ts";

/**
 * The entities of the ids that resolve, in the order of the ids, at the price of a read each. All or nothing: throws `quota_exceeded` when
 * the account cannot pay them all.
 */
export async function buyCards(
  context: ServiceContext,
  caller: MeteredCaller,
  ids: readonly number[],
): Promise<{ entities: readonly Entity[]; rows: number }> {
  const price = context.settings.prices.entityReadRows;
  const purchase = {
    accountId: caller.accountId,
    period: usagePeriod(context.clock()),
    allowance: caller.allowance,
    rows: price,
    requestId: caller.requestId,
  };
  const entities = await buyResolved(context.pool, purchase, ids);
  if (entities === null)
    throw new ApiError(
      "quota_exceeded",
      "The rows that are left do not cover all of these cards. Ask for fewer, turn on-demand on, raise its cap, or wait for the next UTC month.",
    );
  return { entities, rows: entities.length * price };
}

/** What these cards would cost. */
export async function quoteCards(
  context: ServiceContext,
  caller: MeteredCaller,
  ids: readonly number[],
): Promise<RowQuote> {
  const count = await countEntities(context.pool, ids);
  return rowQuote(caller, { count, rows: count * context.settings.prices.entityReadRows });
}
