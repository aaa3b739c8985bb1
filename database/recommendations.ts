import { z } from "zod";
import type { DateRange } from "../domain/dateRange.ts";
import { type EntityGroup, typesOfGroup } from "../domain/evidence.ts";
import { entityReferenceColumns, entityReferenceFields, shapeEntityReference } from "./entityReference.ts";
import { mediaColumns, mediaFields, shapeMedia } from "./media.ts";
import { chargeFor, pricedBy, type Purchase } from "./metering.ts";
import { count, millisecondsOf, type Queryable, type SqlFragment, sql } from "./pool.ts";
import { recommendationColumns, recommendationFields, shapeRecommendation } from "./recommendationRow.ts";

const boughtFields = { ...recommendationFields, ...entityReferenceFields, ...mediaFields, paid: z.boolean() };
const boughtShape = z.object(boughtFields);
const shapeBought = (row: z.output<typeof boughtShape>) => ({
  ...shapeRecommendation(row),
  entity: shapeEntityReference(row),
  media: shapeMedia(row),
});
/** A commercial row with the entity and the video that it is about. */
export type FullRecommendation = ReturnType<typeof shapeBought>;

const positionFields = { sorted_at: z.number(), id: count };
/** A place in a list of commercial rows: `sortedAt` in epoch milliseconds. */
export interface RecommendationPosition {
  sortedAt: number;
  id: number;
}
const oneRow = boughtShape.transform((row) => ({ paid: row.paid, row: shapeBought(row) }));
const listedRow = z.object({ ...boughtFields, ...positionFields }).transform((row) => ({
  paid: row.paid,
  row: shapeBought(row),
  position: { sortedAt: row.sorted_at, id: row.id },
}));

/** Which commercial rows a list holds. */
export interface RecommendationSelection {
  /** Whose rows they are, given by all ids of the entity; null: anybody's. */
  memberIds: readonly number[] | null;
  /** On which channels; null: on any. At least one of the two is given. */
  channelIds: readonly string[] | null;
  /** With channels alone: only rows of entities of this group. */
  entityGroup: EntityGroup | null;
  /** Strata of `minConfidence` and what else they are narrowed by (domain/recommendationStrata.ts). */
  strata: readonly number[];
  minConfidence: number;
  dates: DateRange;
}

export interface PageOf<Position> {
  limit: number;
  after: Position | null;
}

export interface BoughtPage<Row, Position> {
  /** Those that were paid, from the first. */
  rows: readonly { row: Row; position: Position }[];
  /** How many the page held before it was cut to what could be paid. */
  found: number;
  moreExist: boolean;
}

/** Reads a page of commercial rows, newest first, and debits the price of each, as far as the account can pay. */
export async function buyRecommendations(
  db: Queryable,
  purchase: Purchase,
  selection: RecommendationSelection,
  page: PageOf<RecommendationPosition>,
): Promise<BoughtPage<FullRecommendation, RecommendationPosition>> {
  const listed = await db.any(sql.type(listedRow)`${recommendationsStatement(purchase, selection, page)}`);
  const shown = listed.slice(0, page.limit);
  return {
    rows: shown.filter(({ paid }) => paid).map(({ row, position }) => ({ row, position })),
    found: shown.length,
    moreExist: listed.length > page.limit,
  };
}

/** The statement of `buyRecommendations`, so that its plan can be looked at. */
export function recommendationsStatement(
  purchase: Purchase,
  selection: RecommendationSelection,
  page: PageOf<RecommendationPosition>,
): SqlFragment {
  return sql.fragment`
    with ${found(selection, page)}, ${pricedBy(purchase, page.limit)}, ${chargeFor("recommendations")}
    select ${millisecondsOf(sql.fragment`found.sorted_at`)} as sorted_at, found.id, paid.n is not null as paid, ${recommendationColumns}, ${entityReferenceColumns}, ${mediaColumns}
    from found join recommendation on recommendation.id = found.id ${withEntityAndMedia} left join paid on paid.n = found.n
    order by found.n`;
}

/** How many rows a page would hold, for quotes. */
export async function countRecommendations(
  db: Queryable,
  selection: RecommendationSelection,
  page: PageOf<RecommendationPosition>,
): Promise<number> {
  return db.oneFirst(sql.type(z.object({ count }))`
    with ${found(selection, page)} select count(*) from found where n <= ${page.limit}`);
}

/** Reads one commercial row and debits its price; null where there is none. */
export async function buyRecommendation(
  db: Queryable,
  purchase: Purchase,
  id: number,
): Promise<{ paid: boolean; row: FullRecommendation } | null> {
  return db.maybeOne(sql.type(oneRow)`
    with found as materialized (select 1 as n, recommendation.id from recommendation where id = ${id}),
      ${pricedBy(purchase)}, ${chargeFor("recommendation")}
    select paid.n is not null as paid, ${recommendationColumns}, ${entityReferenceColumns}, ${mediaColumns}
    from found join recommendation on recommendation.id = found.id ${withEntityAndMedia} left join paid on paid.n = found.n`);
}

/** Whether there is such a row, for quotes. */
export async function recommendationExists(db: Queryable, id: number): Promise<boolean> {
  return db.exists(sql.typeAlias("void")`select from recommendation where id = ${id}`);
}

const withEntityAndMedia = sql.fragment`
  join entity as detected on detected.id = recommendation.entity_id
  join entity on entity.id = coalesce(detected.canonical_id, detected.id)
  join video on video.id = recommendation.video_id
  join channel on channel.id = recommendation.channel_id`;

/** A page and the row after it. */
function found(selection: RecommendationSelection, page: PageOf<RecommendationPosition>): SqlFragment {
  const { memberIds, channelIds, entityGroup, strata, minConfidence, dates } = selection;
  const types = entityGroup === null ? null : [...typesOfGroup(entityGroup)];
  // What has no date is in no range of dates.
  const from = dates.from ?? (dates.to === null ? null : firstKnownDate);
  return sql.fragment`found as materialized (
    select (row_number() over (order by sorted_at desc, id desc))::int4 as n, newest.* from newest_recommendations(
      ${arrayOf(memberIds, "int8")}, ${arrayOf(channelIds, "text")}, ${arrayOf(types, "text")}, ${sql.array([...strata], "int2")}, ${minConfidence}::float8,
      ${from === null ? "-infinity" : from.toISOString()}::timestamptz, ${begin(page.after, dates.to)}, ${page.limit + 1}::int4
    ) as newest
  )`;
}

/** The place that a page begins after; a position lies within the dates of its list, so that the last date says nothing beside it. */
function begin(after: RecommendationPosition | null, lastDate: Date | null): SqlFragment {
  if (after !== null) return sql.fragment`${new Date(after.sortedAt).toISOString()}::timestamptz, ${after.id}::int8`;
  return lastDate === null
    ? sql.fragment`'infinity'::timestamptz, 0::int8`
    : sql.fragment`${lastDate.toISOString()}::timestamptz, 9223372036854775807`;
}

/** Just after the one that rows without a date carry. */
const firstKnownDate = new Date("0001-01-01T00:00:00.001Z");

function arrayOf(values: readonly (string | number)[] | null, type: "int8" | "text"): SqlFragment {
  return values === null ? sql.fragment`null` : sql.fragment`${sql.array([...values], type)}`;
}
