import { type BoughtChannel, buyChannel as buyFound, readChannel } from "../../database/channels.ts";
import { ApiError } from "../../domain/errors.ts";
import { hasCommercialAccess } from "../../domain/plans.ts";
import { recommendationStrata } from "../../domain/recommendationStrata.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import type { MeteredCaller, ServiceContext } from "../context.ts";
import { type RowQuote, rowQuote } from "../usage/rowQuote.ts";
import { ensureChannelEntities } from "./ensureChannelEntities.ts";

/**
 * Reads a channel that has media in the index, at the price of an entity read; for callers with access to commercial data together with the
 * totals of its commercial rows. Throws `channel_not_found`, free of charge, and `quota_exceeded`.
 */
export async function buyChannel(
  context: ServiceContext,
  caller: MeteredCaller,
  channelId: string,
): Promise<{ channel: BoughtChannel; costRows: number }> {
  const now = context.clock();
  const costRows = context.settings.prices.entityReadRows;
  const purchase = {
    accountId: caller.accountId,
    period: usagePeriod(now),
    allowance: caller.allowance,
    rows: costRows,
    requestId: caller.requestId,
  };
  const asked = {
    id: channelId,
    withTotals: hasCommercialAccess(caller),
    strata: recommendationStrata({ mentionClass: "all", minConfidence: 0, includeDisputed: false }),
    now,
  };
  let bought = await buyFound(context.pool, purchase, asked);
  if (bought === null) {
    const channel = await readChannel(context.pool, channelId, now);
    if (channel === null) throw new ApiError("channel_not_found");
    // It came with a recording before anybody told who it is.
    const { platform } = context.settings;
    await context.pool.transaction((transaction) => ensureChannelEntities(transaction, [channel], platform));
    bought = await buyFound(context.pool, purchase, asked);
  }
  if (bought === null) throw new ApiError("channel_not_found");
  if (!bought.paid) throw new ApiError("quota_exceeded");
  return { channel: bought, costRows };
}

/** What reading the channel would cost. Throws `channel_not_found`. */
export async function quoteChannel(
  context: ServiceContext,
  caller: MeteredCaller,
  channelId: string,
): Promise<RowQuote> {
  if ((await readChannel(context.pool, channelId, context.clock())) === null) throw new ApiError("channel_not_found");
  return rowQuote(caller, { count: 1, rows: context.settings.prices.entityReadRows });
}
