import {
  buyRelatedPage,
  findRelatedSource,
  readRelatedPage,
  type RelatedAsk,
  type RelatedPosition,
  type RelatedRow,
} from "../../database/relatedPages.ts";
import { ApiError } from "../../domain/errors.ts";
import { entityGroup } from "../../domain/evidence.ts";
import { coveredCount, cutPage } from "../../domain/pageCut.ts";
import { type RelatedField, relatedGroupOf, type RelatedSort, type SubjectGroup } from "../../domain/relatedLists.ts";
import { payableRows, usagePeriod } from "../../domain/rowPool.ts";
import type { MeteredCaller, ServiceContext } from "../context.ts";
import { resolveEntity } from "../entities/resolveEntity.ts";
import { type RowQuote, rowQuote } from "../usage/rowQuote.ts";

export interface RelatedQuery {
  /** The entity whose list it is, and what it has to be. */
  slug: string;
  subjectGroup: SubjectGroup;
  search: { text: string; field: RelatedField } | null;
  sort: RelatedSort;
  order: "asc" | "desc";
  limit: number;
  /** Where the page before ended, with the newest mention that its list knew. */
  after: (RelatedPosition & { lastMentionId: number }) | null;
}

export interface RelatedPage {
  rows: readonly RelatedRow[];
  hasMore: boolean;
  /** Where the next page begins; null for an empty page. */
  last: (RelatedPosition & { lastMentionId: number }) | null;
  costRows: number;
}

/**
 * A page of the entities that take part in the videos that an entity takes part in, at the price of a row each; cut to what the account can
 * pay. Throws `entity_not_found`, for an entity of another type too, and `quota_exceeded` when not one row can be paid.
 */
export async function buyRelated(
  context: ServiceContext,
  caller: MeteredCaller,
  query: RelatedQuery,
): Promise<RelatedPage> {
  const ask = await askOf(context, query);
  const rowPrice = context.settings.prices.evidenceRowRows;
  const found = await buyRelatedPage(context.pool, ask, {
    accountId: caller.accountId,
    period: usagePeriod(context.clock()),
    allowance: caller.allowance,
    rowPrice,
    requestId: caller.requestId,
  });
  const page = found.slice(0, query.limit);
  const rows = page.filter(({ paid }) => paid);
  const cut = cutPage({ found: page.length, paid: rows.length, moreExist: found.length > query.limit });
  if (cut.kind === "quota_exceeded") throw new ApiError("quota_exceeded");
  const last = rows.at(-1);
  return {
    rows,
    hasMore: cut.hasMore,
    last:
      last === undefined
        ? null
        : { value: last.sortValues[query.sort], entityId: last.numericId, lastMentionId: ask.lastMentionId },
    costRows: rows.length * rowPrice,
  };
}

/** What the page would cost. Throws as the page itself does. */
export async function quoteRelated(
  context: ServiceContext,
  caller: MeteredCaller,
  query: RelatedQuery,
): Promise<RowQuote> {
  const ask = await askOf(context, query);
  const rowPrice = context.settings.prices.evidenceRowRows;
  const found = (await readRelatedPage(context.pool, ask)).slice(0, query.limit);
  const count = coveredCount(
    found.map(() => rowPrice),
    payableRows(caller.allowance, caller.use),
  );
  if (found.length > 0 && count === 0) throw new ApiError("quota_exceeded");
  return rowQuote(caller, { count, rows: count * rowPrice });
}

async function askOf(context: ServiceContext, query: RelatedQuery): Promise<RelatedAsk> {
  const { slug, subjectGroup, after, ...rest } = query;
  const group = relatedGroupOf[subjectGroup];
  const { entity, memberIds } = await resolveEntity(context.pool, { by: "slug", slug });
  if (entityGroup(entity.type) !== subjectGroup)
    throw new ApiError(
      "entity_not_found",
      `This is an entity of type ${entity.type}; the path takes the slug of ${subjectGroup === "organization" ? "an" : "a"} ${subjectGroup}.`,
    );
  const source = await findRelatedSource(context.pool, entity.numericId, group);
  return {
    ...rest,
    subject: { entityId: entity.numericId, memberIds, platformChannelIds: source.platformChannelIds },
    group,
    setId: source.setId,
    lastMentionId: after?.lastMentionId ?? source.lastMentionId,
    after,
  };
}
