import type { EntityWithMembers } from "../../database/entityMembers.ts";
import {
  buyRecommendations,
  countRecommendations,
  type FullRecommendation,
  type RecommendationPosition,
  type RecommendationSelection,
} from "../../database/recommendations.ts";
import type { DateRange } from "../../domain/dateRange.ts";
import { ApiError } from "../../domain/errors.ts";
import { coveredCount, cutPage } from "../../domain/pageCut.ts";
import { type RecommendationNarrowing, recommendationStrata } from "../../domain/recommendationStrata.ts";
import { payableRows, usagePeriod } from "../../domain/rowPool.ts";
import { type ChannelSelector, resolveChannels } from "../channels/resolveChannels.ts";
import type { MeteredCaller, ServiceContext } from "../context.ts";
import { type AskedEntity, findAsked } from "../entities/findAsked.ts";
import { type RowQuote, rowQuote } from "../usage/rowQuote.ts";

export interface RecommendationQuery extends RecommendationNarrowing {
  entity: AskedEntity;
  channel: ChannelSelector;
  dates: DateRange;
  limit: number;
  after: RecommendationPosition | null;
}

export interface RecommendationPage {
  /** Null where rows are asked for by channel alone. */
  entity: EntityWithMembers | null;
  rows: readonly FullRecommendation[];
  hasMore: boolean;
  /** Of the last row. */
  last: RecommendationPosition | null;
  costRows: number;
}

/**
 * A page of commercial rows, newest first, at the price of a commercial row each, cut to what the account can pay. Throws `invalid_query`
 * where neither an entity nor a channel is named or two names disagree, `entity_not_found`, `channel_not_found`, and `quota_exceeded` when not
 * one row can be paid.
 */
export async function buyRecommendationPage(
  context: ServiceContext,
  caller: MeteredCaller,
  query: RecommendationQuery,
): Promise<RecommendationPage> {
  const { entity, selection } = await select(context, query);
  const price = context.settings.prices.commercialRowRows;
  const purchase = {
    accountId: caller.accountId,
    period: usagePeriod(context.clock()),
    allowance: caller.allowance,
    rows: price,
    requestId: caller.requestId,
  };
  const { rows, found, moreExist } = await buyRecommendations(context.pool, purchase, selection, query);
  const cut = cutPage({ found, paid: rows.length, moreExist });
  if (cut.kind === "quota_exceeded") throw new ApiError("quota_exceeded");
  return {
    entity,
    rows: rows.map(({ row }) => row),
    hasMore: cut.hasMore,
    last: rows.at(-1)?.position ?? null,
    costRows: rows.length * price,
  };
}

/** What the page would cost. Throws as the page itself does, but for `quota_exceeded`. */
export async function quoteRecommendationPage(
  context: ServiceContext,
  caller: MeteredCaller,
  query: RecommendationQuery,
): Promise<RowQuote> {
  const { selection } = await select(context, query);
  const price = context.settings.prices.commercialRowRows;
  const found = await countRecommendations(context.pool, selection, query);
  const count = coveredCount(Array(found).fill(price), payableRows(caller.allowance, caller.use));
  return rowQuote(caller, { count, rows: count * price });
}

async function select(
  { pool }: ServiceContext,
  query: RecommendationQuery,
): Promise<{ entity: EntityWithMembers | null; selection: RecommendationSelection }> {
  if (
    query.entity.id === null &&
    query.entity.name === null &&
    query.channel.id === null &&
    query.channel.name === null
  )
    throw new ApiError(
      "invalid_query",
      "Name an entity with `entity_id` or `entity_name`, or a channel with `channel_id` or `channel_name`.",
    );
  const [entity, channelIds] = await Promise.all([findAsked(pool, query.entity), resolveChannels(pool, query.channel)]);
  const selection = {
    memberIds: entity?.memberIds ?? null,
    channelIds,
    entityGroup: entity === null ? query.entity.type : null,
    strata: recommendationStrata(query),
    minConfidence: query.minConfidence,
    dates: query.dates,
  };
  return { entity, selection };
}
