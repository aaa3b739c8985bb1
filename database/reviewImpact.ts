import { z } from "zod";
import { count, type Queryable, sql } from "./pool.ts";

const countsRow = z
  .object({ id: count, slug: z.string(), mention_count: count, appearance_count: count, commercial_count: count })
  .transform((row) => ({
    entityId: row.id,
    slug: row.slug,
    mentionCount: row.mention_count,
    appearanceCount: row.appearance_count,
    commercialCount: row.commercial_count,
  }));
/** What is counted of an entity; of one that is merged away, nothing. */
export type EntityCounts = z.output<typeof countsRow>;

export async function readEntityCounts(db: Queryable, entityIds: readonly number[]): Promise<readonly EntityCounts[]> {
  return db.any(sql.type(countsRow)`
    select entity.id, entity.slug, entity.mention_count, entity.appearance_count, case when entity.canonical_id is null then (
        select coalesce(sum(row_count), 0)::int8 from entity as member join commercial_tally on commercial_tally.entity_id = member.id
        where member.id = entity.id or member.canonical_id = entity.id
      ) else 0 end as commercial_count
    from entity where id = any(${sql.array([...entityIds], "int8")}) order by id`);
}

const touchedRow = z
  .object({ canonical_ids: z.array(z.string()), video_ids: z.array(z.string()), channel_ids: z.array(z.string()) })
  .transform((row) => ({
    entityIds: row.canonical_ids.map(Number),
    videoIds: row.video_ids,
    channelIds: row.channel_ids,
  }));

export type Touched = z.output<typeof touchedRow>;

/** Whose rows of evidence these are now, and where. */
export async function readTouched(
  db: Queryable,
  rows: { mentionIds: readonly number[]; recommendationIds: readonly number[] },
): Promise<Touched> {
  return db.one(sql.type(touchedRow)`
    select coalesce(array_agg(distinct coalesce(entity.canonical_id, entity.id)::text) filter (where entity.id is not null), '{}') as canonical_ids,
      coalesce(array_agg(distinct video_id) filter (where video_id is not null), '{}') as video_ids,
      coalesce(array_agg(distinct channel_id) filter (where channel_id is not null), '{}') as channel_ids
    from (
      select entity_id, video_id, channel_id from mention where id = any(${sql.array([...rows.mentionIds], "int8")})
      union all select entity_id, video_id, channel_id from recommendation where id = any(${sql.array([...rows.recommendationIds], "int8")})
    ) as touched left join entity on entity.id = touched.entity_id`);
}

/** Alerts that show one of the mentions. */
export async function listAlertsOn(db: Queryable, mentionIds: readonly number[]): Promise<readonly string[]> {
  return db.anyFirst(sql.type(z.object({ id: z.string() }))`
    select alert.id from mention join alert_occurrence as alert on alert.video_id = mention.video_id and alert.mention_id = mention.id
    where mention.id = any(${sql.array([...mentionIds], "int8")}) order by 1 limit 100`);
}

/** What entities read as now. */
export async function readCanonicalIds(db: Queryable, entityIds: readonly number[]): Promise<readonly number[]> {
  return db.anyFirst(sql.type(z.object({ id: count }))`
    select distinct coalesce(canonical_id, id) as id from entity where id = any(${sql.array([...entityIds], "int8")})`);
}
