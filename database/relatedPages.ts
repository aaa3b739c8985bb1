import { z } from "zod";
import { entityTypes } from "../domain/entities.ts";
import type { RelatedField, RelatedGroup, RelatedSort } from "../domain/relatedLists.ts";
import type { RowAllowance } from "../domain/rowPool.ts";
import { chargeFor } from "./metering.ts";
import { count, type Queryable, type SqlFragment, sql, timestamp } from "./pool.ts";
import { relatedRows, type Subject } from "./relatedRows.ts";

/** Where a page of a related list begins: after the row with that value of what the list is sorted by. */
export interface RelatedPosition {
  /** Milliseconds, a name as `name_order` has it, or a number of mentions. */
  value: string | number;
  entityId: number;
}

export interface RelatedAsk {
  subject: Subject;
  group: RelatedGroup;
  /** The set that has been counted before; null counts live. */
  setId: number | null;
  /** Mentions past it are left out of what is counted live, so that those that come meanwhile move no row between two pages. */
  lastMentionId: number;
  search: { text: string; field: RelatedField } | null;
  sort: RelatedSort;
  order: "asc" | "desc";
  limit: number;
  after: RelatedPosition | null;
}

/** Who pays for a page, and how it is named in the ledger. `rowPrice`: rows debited for each row of it. */
export interface PagePurchase {
  accountId: string;
  /** First day of the UTC month, `YYYY-MM-01`. */
  period: string;
  allowance: RowAllowance;
  rowPrice: number;
  requestId: string;
}

const relatedRow = z
  .object({
    id: count,
    name: z.string(),
    slug: z.string(),
    type: z.enum(entityTypes),
    image_url: z.string().nullable(),
    description: z.string().nullable(),
    platform: z.string().nullable(),
    url: z.string().nullable(),
    mention_count: count,
    media_count: count,
    first_seen_at: timestamp.nullable(),
    last_seen_at: timestamp.nullable(),
    last_seen_milliseconds: count,
    name_order: z.string(),
    paid: z.boolean(),
  })
  .transform((row) => ({
    numericId: row.id,
    name: row.name,
    slug: row.slug,
    type: row.type,
    imageUrl: row.image_url,
    description: row.description,
    platform: row.platform,
    url: row.url,
    mentionCount: row.mention_count,
    mediaCount: row.media_count,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    sortValues: { date: row.last_seen_milliseconds, name: row.name_order, mentions: row.mention_count },
    paid: row.paid,
  }));
/** An entity of a related list, and whether it was paid for. */
export type RelatedRow = z.output<typeof relatedRow>;

/** The number of the newest mention, and of the set of related entities where one is ready. */
export async function findRelatedSource(
  db: Queryable,
  subjectId: number,
  group: RelatedGroup,
): Promise<{ setId: number | null; lastMentionId: number; platformChannelIds: readonly string[] }> {
  return db.one(sql.type(sourceRow)`
    select
      (select id from relation_set where subject_id = ${subjectId} and row_group = ${group} and state = 'ready') as set_id,
      (select coalesce(max(id), 0) from mention) as last_mention_id,
      ${platformChannelIds(subjectId)} as platform_channel_ids`);
}
const sourceRow = z
  .object({ set_id: count.nullable(), last_mention_id: count, platform_channel_ids: z.array(z.string()) })
  .transform((row) => ({
    setId: row.set_id,
    lastMentionId: row.last_mention_id,
    platformChannelIds: row.platform_channel_ids,
  }));

/** The platform channels that an entity or one of its members is tied to. */
function platformChannelIds(subjectId: number): SqlFragment {
  return sql.fragment`array(
    select platform_id from entity where (id = ${subjectId} or canonical_id = ${subjectId}) and type = 'channel' and platform_id is not null
  )`;
}

/** A page and one row more, where there is one, without charging: for quotes. */
export async function readRelatedPage(db: Queryable, ask: RelatedAsk): Promise<readonly RelatedRow[]> {
  return db.any(sql.type(relatedRow)`with ${relatedPage(ask)} select page.*, false as paid from page order by n`);
}

/** A page and one row more, where there is one; debits the longest part of the page that the account can pay, in the same statement. */
export async function buyRelatedPage(
  db: Queryable,
  ask: RelatedAsk,
  purchase: PagePurchase,
): Promise<readonly RelatedRow[]> {
  return db.any(sql.type(relatedRow)`
    with ${relatedPage(ask)}, priced as (
      select n, ${purchase.accountId} as account_id, ${purchase.period}::date as period, ${purchase.allowance.poolRows}::int8 as pool_rows,
        ${purchase.allowance.onDemandLimitRows}::int8 as on_demand_limit_rows, ${purchase.rowPrice}::int8 as rows, ${purchase.requestId} as request_id
      from page where n <= ${ask.limit}
    ), ${chargeFor("related list")}
    select page.*, paid.n is not null as paid from page left join paid using (n) order by n`);
}

/** Expressions that leave a table `page`, numbered from 1 by `n`. */
export function relatedPage(ask: RelatedAsk): SqlFragment {
  const picked = ask.setId === null ? pickLive(ask) : pickFromSet(ask, ask.setId);
  const direction = ask.order === "asc" ? sql.fragment`asc` : sql.fragment`desc`;
  return sql.fragment`${picked}, page as materialized (
    select row_number() over (order by picked.${sortColumn(ask.sort)} ${direction}, picked.related_id ${direction}) as n,
      entity.id, entity.name, entity.slug, entity.type, entity.image_url, entity.description, entity.platform, entity.url,
      picked.mention_count, picked.media_count, nullif(picked.first_seen_at, '0001-01-01Z') as first_seen_at,
      nullif(picked.last_seen_at, '0001-01-01Z') as last_seen_at,
      (extract(epoch from picked.last_seen_at) * 1000)::int8 as last_seen_milliseconds, picked.name_order
    from picked join entity on entity.id = picked.related_id
  )`;
}

function pickLive(ask: RelatedAsk): SqlFragment {
  return sql.fragment`${relatedRows(ask.subject, ask.group, ask.lastMentionId)}, picked as (
    select * from (
      select related.id as related_id, related.mention_count, related.media_count, related.first_seen_at, related.last_seen_at,
        name_order(entity.name) collate "C" as name_order
      from related cross join lateral (select name, description from entity where entity.id = related.id offset 0) as entity
      where ${matches(ask, { name: sql.fragment`folded(entity.name)`, description: sql.fragment`folded(entity.description)` })}
    ) as relation
    where ${beyond(ask)} ${ordered(ask)} limit ${ask.limit + 1}
  )`;
}

/** How many rows of a set are looked through in the order of the list before `q` is looked up among all texts. */
const walkedRows = 4000;

/**
 * Without `q` a page is a stretch of an index. With it, so is the page of a `q` that many rows have: it is found among the next few
 * thousand rows. One that few rows have is looked up by its trigrams, and its rows are put in order.
 */
function pickFromSet(ask: RelatedAsk, setId: number): SqlFragment {
  const columns = sql.fragment`related_id, mention_count, media_count, first_seen_at, last_seen_at, name_order`;
  const stretch = (limit: number) =>
    sql.fragment`select ${columns} from relation where set_id = ${setId} and ${beyond(ask)} ${ordered(ask)} limit ${limit}`;
  if (ask.search === null) return sql.fragment`picked as materialized (${stretch(ask.limit + 1)})`;
  const found = matches(ask, { name: sql.fragment`text.name`, description: sql.fragment`text.description` });
  return sql.fragment`
    walked as materialized (${stretch(walkedRows)}),
    near as materialized (
      -- a scalar, which no plan turns into a join that would lose the order
      select ${columns} from walked where (select ${found} from relation_text as text where text.entity_id = walked.related_id)
      limit ${ask.limit + 1}
    ),
    enough as materialized (
      select case when (select count(*) from near) > ${ask.limit} then true else (select count(*) from walked) < ${walkedRows} end as yes
    ),
    texts as materialized (select entity_id from relation_text as text where ${found} and not (select yes from enough)),
    far as materialized (
      -- one by one: however many texts are expected, those that are found decide what this costs
      select ${columns} from texts cross join lateral (
        select ${columns} from relation where set_id = ${setId} and related_id = entity_id and ${beyond(ask)} offset 0
      ) as relation
      ${ordered(ask)} limit ${ask.limit + 1}
    ),
    picked as materialized (select * from near where (select yes from enough) union all select * from far)`;
}

function matches(ask: RelatedAsk, { name, description }: { name: SqlFragment; description: SqlFragment }): SqlFragment {
  if (ask.search === null) return sql.fragment`true`;
  const pattern = sql.fragment`folded_pattern(${ask.search.text})`;
  switch (ask.search.field) {
    case "name":
      return sql.fragment`${name} like ${pattern}`;
    case "description":
      return sql.fragment`${description} like ${pattern}`;
    case "any":
      return sql.fragment`(${name} like ${pattern} or ${description} like ${pattern})`;
  }
}

function sortColumn(sort: RelatedSort): SqlFragment {
  switch (sort) {
    case "date":
      return sql.fragment`last_seen_at`;
    case "name":
      return sql.fragment`name_order`;
    case "mentions":
      return sql.fragment`mention_count`;
  }
}

function ordered({ sort, order }: RelatedAsk): SqlFragment {
  return order === "asc"
    ? sql.fragment`order by ${sortColumn(sort)}, related_id`
    : sql.fragment`order by ${sortColumn(sort)} desc, related_id desc`;
}

function beyond({ sort, order, after }: RelatedAsk): SqlFragment {
  if (after === null) return sql.fragment`true`;
  const value = positionValue(sort, after.value);
  return order === "asc"
    ? sql.fragment`(${sortColumn(sort)}, related_id) > (${value}, ${after.entityId}::int8)`
    : sql.fragment`(${sortColumn(sort)}, related_id) < (${value}, ${after.entityId}::int8)`;
}

function positionValue(sort: RelatedSort, value: string | number): SqlFragment {
  switch (sort) {
    case "date":
      return sql.fragment`${new Date(value).toISOString()}::timestamptz(3)`;
    case "name":
      return sql.fragment`${String(value)} collate "C"`;
    case "mentions":
      return sql.fragment`${Number(value)}::int8`;
  }
}
