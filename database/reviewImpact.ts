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
  .object({
    canonical_ids: z.array(z.string()),
    slugs: z.array(z.string()),
    video_ids: z.array(z.string()),
    channel_ids: z.array(z.string()),
  })
  .transform((row) => ({
    entityIds: row.canonical_ids.map(Number),
    /** Of who appears in them. */
    personSlugs: row.slugs,
    videoIds: row.video_ids,
    channelIds: row.channel_ids,
  }));

type Touched = z.output<typeof touchedRow>;

/** Whose rows of evidence these are now, and where. */
export async function readTouched(
  db: Queryable,
  rows: { mentionIds: readonly number[]; recommendationIds: readonly number[] },
): Promise<Touched> {
  return db.one(sql.type(touchedRow)`
    select coalesce(array_agg(distinct coalesce(entity.canonical_id, entity.id)::text) filter (where entity.id is not null), '{}') as canonical_ids,
      coalesce(array_agg(distinct canonical.slug) filter (where is_appearance), '{}') as slugs,
      coalesce(array_agg(distinct video_id) filter (where video_id is not null), '{}') as video_ids,
      coalesce(array_agg(distinct channel_id) filter (where channel_id is not null), '{}') as channel_ids
    from (
      select entity_id, video_id, channel_id, is_appearance from mention where id = any(${sql.array([...rows.mentionIds], "int8")})
      union all select entity_id, video_id, channel_id, false from recommendation where id = any(${sql.array([...rows.recommendationIds], "int8")})
    ) as touched left join entity on entity.id = touched.entity_id
      left join entity as canonical on canonical.id = coalesce(entity.canonical_id, entity.id)`);
}

const ofEntitiesRow = z
  .object({
    names: z.array(z.string()),
    search_keys: z.array(z.string()),
    channel_ids: z.array(z.string()),
    slugs: z.array(z.string()),
  })
  .transform((row) => ({
    names: row.names,
    searchKeys: row.search_keys,
    channelIds: row.channel_ids,
    personSlugs: row.slugs,
  }));

/**
 * What reads find entities by now: names, searches whose results reviewers put right, channels that list them as sponsors, and the slugs of
 * those that appear; at most 100 of each.
 */
export async function readFoundBy(
  db: Queryable,
  entityIds: readonly number[],
): Promise<z.output<typeof ofEntitiesRow>> {
  const ids = sql.fragment`any(${sql.array([...entityIds], "int8")})`;
  return db.one(sql.type(ofEntitiesRow)`
    select array(select name from entity_name where entity_id = ${ids} order by is_alias, key limit 100) as names,
      array(select distinct key from search_review where entity_id = ${ids} order by key limit 100) as search_keys,
      array(select distinct channel_id from channel_sponsor where entity_id = ${ids} order by channel_id limit 100) as channel_ids,
      array(select slug from entity where id = ${ids} and appearance_count > 0 order by slug limit 100) as slugs`);
}

/** The monitors in whose history the alerts are. */
export async function listMonitorsOf(db: Queryable, alertIds: readonly string[]): Promise<readonly string[]> {
  return db.anyFirst(sql.type(z.object({ monitor_id: z.string() }))`
    select distinct monitor_id from alert_occurrence
    where id = any(${sql.array([...alertIds], "text")}) and monitor_id is not null order by monitor_id`);
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
