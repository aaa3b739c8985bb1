import { type BoughtEntity, buyEntities, type Entity, type EntityAsk, readEntity } from "../../database/entities.ts";
import type { CommercialTotals } from "../../database/brandProfiles.ts";
import type { Pool } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import { hasCommercialAccess } from "../../domain/plans.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import { createBatches } from "../batches.ts";
import type { MeteredCaller, ServiceContext } from "../context.ts";
import { type RowQuote, rowQuote } from "../usage/rowQuote.ts";

/** One queue a pool, so that a process's reads of one moment share a statement and a commit. */
const queues = new WeakMap<Pool, (ask: EntityAsk) => Promise<BoughtEntity>>();

function queueOf(pool: Pool): (ask: EntityAsk) => Promise<BoughtEntity> {
  const known = queues.get(pool);
  if (known !== undefined) return known;
  const queue = createBatches({
    run: (asks: readonly EntityAsk[]) => buyEntities(pool, asks),
    laneOf: ({ accountId }) => accountId,
  });
  queues.set(pool, queue);
  return queue;
}

/**
 * Reads an entity by its own number or that of one merged into it, and debits its price with the read; for callers with access to commercial
 * data together with its brand profile, where it has one. Throws `entity_not_found`, free of charge, and `quota_exceeded`.
 */
export async function buyEntity(
  context: ServiceContext,
  caller: MeteredCaller,
  entityId: number,
): Promise<{ entity: Entity; brandProfile: CommercialTotals | null; rows: number }> {
  const rows = context.settings.prices.entityReadRows;
  const bought = await queueOf(context.pool)({
    entityId,
    withBrandProfile: hasCommercialAccess(caller),
    accountId: caller.accountId,
    period: usagePeriod(context.clock()),
    allowance: caller.allowance,
    rows,
    requestId: caller.requestId,
  });
  switch (bought.kind) {
    case "not_found":
      throw new ApiError("entity_not_found");
    case "insufficient_rows":
      throw new ApiError("quota_exceeded");
    case "paid":
      return { entity: bought.entity, brandProfile: bought.brandProfile, rows };
  }
}

/** What reading the entity would cost. Throws `entity_not_found`. */
export async function quoteEntity(context: ServiceContext, caller: MeteredCaller, entityId: number): Promise<RowQuote> {
  if ((await readEntity(context.pool, entityId)) === null) throw new ApiError("entity_not_found");
  return rowQuote(caller, { count: 1, rows: context.settings.prices.entityReadRows });
}
