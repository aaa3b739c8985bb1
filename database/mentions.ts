import { z } from "zod";
import type { EntityPurchase } from "./entities.ts";
import { mentionColumns, mentionFields, mentionJoins, shapeMention } from "./mentionRow.ts";
import { newestMatches } from "./mentionSearch.ts";
import { type MentionPosition, type MentionSelection, newestMentions } from "./mentionStreams.ts";
import { chargeFor } from "./metering.ts";
import { count, type Queryable, type SqlFragment, sql } from "./pool.ts";
import { recommendationColumns, recommendationFields, shapeRecommendation } from "./recommendationRow.ts";

const recommendationRow = z.object(recommendationFields).transform(shapeRecommendation);
const boughtRow = z
  .object({
    ...mentionFields,
    sorted_at: z.number(),
    recommendations: z.array(recommendationRow).nullable(),
    price: count,
    paid: z.boolean(),
  })
  .transform((row) => ({
    ...shapeMention(row),
    /** Null where they were not asked for. */
    recommendations: row.recommendations,
    costRows: row.price,
    paid: row.paid,
    position: { sortedAt: row.sorted_at, id: row.mention_id } satisfies MentionPosition,
  }));
/** A mention as a page was asked for it, with what it costs and whether that could be paid. */
export type BoughtMention = z.output<typeof boughtRow>;

export interface MentionPage {
  limit: number;
  after: MentionPosition | null;
  /** Whether commercial rows are attached to each mention, at a price each. */
  attached: { priceRows: number } | null;
}

/** Who pays, with what, and what a mention costs without its attachments. */
export type MentionPurchase = EntityPurchase & { reason: string };

/** Reads a page of mentions, newest first, and one row more where there is one, and debits each but that one, as far as the account can pay. */
export async function buyMentions(
  db: Queryable,
  purchase: MentionPurchase,
  selection: MentionSelection,
  page: MentionPage,
): Promise<readonly BoughtMention[]> {
  return db.any(sql.type(boughtRow)`${mentionsStatement(purchase, selection, page)}`);
}

/** The statement of `buyMentions`, so that its plan can be looked at. */
export function mentionsStatement(
  purchase: MentionPurchase,
  selection: MentionSelection,
  page: MentionPage,
): SqlFragment {
  return sql.fragment`
    with ${found(selection, page, purchase.rows)}, priced as (
      select n, ${purchase.accountId} as account_id, ${purchase.period}::date as period, ${purchase.allowance.poolRows}::int8 as pool_rows,
        ${purchase.allowance.onDemandLimitRows}::int8 as on_demand_limit_rows, price as rows, ${purchase.requestId} as request_id
      from found where n <= ${page.limit}
    ), ${chargeFor(purchase.reason)}
    select found.sorted_at, found.price, found.recommendations, paid.n is not null as paid, ${mentionColumns}
    from found join mention on mention.id = found.id ${mentionJoins} left join paid on paid.n = found.n
    order by found.n`;
}

/** What each mention of a page would cost. */
export async function priceMentions(
  db: Queryable,
  rows: number,
  selection: MentionSelection,
  page: MentionPage,
): Promise<readonly number[]> {
  return db.anyFirst(sql.type(z.object({ price: count }))`
    with ${found(selection, page, rows)} select price from found where n <= ${page.limit} order by n`);
}

function found(selection: MentionSelection, { limit, after, attached }: MentionPage, rows: number): SqlFragment {
  const newest =
    selection.search === null
      ? newestMentions(selection, after, limit + 1)
      : newestMatches(selection, selection.search, after, limit + 1);
  const numbered = sql.fragment`select (row_number() over (order by sorted_at desc, id desc))::int4 as n, sorted_at, id from (${newest}) as newest`;
  return attached === null
    ? sql.fragment`found as materialized (
        select *, ${rows}::int8 as price, null::json as recommendations from (${numbered}) as numbered
      )`
    : sql.fragment`found as materialized (
        select numbered.*, ${rows}::int8 + attached.count * ${attached.priceRows}::int8 as price, attached.recommendations
        from (${numbered}) as numbered cross join lateral (${attachedRows}) as attached
      )`;
}

/** The commercial rows of a mention's video and entity at its time; a full episode's are at any (decisions.md, mentions). Hidden: disputed ones. */
const attachedRows = sql.fragment`
  select count(*), coalesce(json_agg(row order by start, recommendation_id::int8), '[]') as recommendations from (
    select ${recommendationColumns}, recommendation.start_seconds as start
    from mention
    join entity as detected on detected.id = mention.entity_id
    join recommendation on recommendation.video_id = mention.video_id
    join entity as advertised on advertised.id = recommendation.entity_id
      and coalesce(advertised.canonical_id, advertised.id) = coalesce(detected.canonical_id, detected.id)
    where mention.id = numbered.id and recommendation.conflict_status <> 'disputed'
      and ((recommendation.start_seconds = 0 and recommendation.end_seconds = 0)
        or (recommendation.start_seconds <= mention.end_seconds
          and coalesce(recommendation.end_seconds, recommendation.start_seconds) >= mention.start_seconds))
  ) as row`;
