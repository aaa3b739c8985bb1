import { z } from "zod";
import { activeSince, defaultMinAdReads, levelsBelow } from "../domain/sponsors.ts";
import { brandProfileFields, shapeBrandProfile } from "./brandProfiles.ts";
import { entityColumns, entityFields, resolved, shapeEntity } from "./entities.ts";
import { chargeFor, pricedBy, type Purchase } from "./metering.ts";
import { count, momentOf, type Queryable, type SqlFragment, sql } from "./pool.ts";

const idRow = z.object({ id: z.string() });

/** Which of the platform's channel ids have media in the index. */
export async function channelsWithMedia(db: Queryable, ids: readonly string[]): Promise<string[]> {
  return [
    ...(await db.anyFirst(sql.type(idRow)`
      select channel.id from channel where id = any(${sql.array([...ids], "text")}) and ${hasMedia}`)),
  ];
}

/**
 * The platform's ids of the most-mentioned channel of that folded name or alias: several where channels were merged, none where there is no
 * such channel.
 */
export async function findChannelIdsByName(db: Queryable, key: string): Promise<string[]> {
  return [
    ...(await db.anyFirst(sql.type(idRow)`
      with named as (
        select entity.id from (select distinct entity_id from entity_name where key = ${key}) as named
          join entity as supplied on supplied.id = named.entity_id
          join entity on entity.id = coalesce(supplied.canonical_id, supplied.id)
        where entity.type = 'channel' order by entity.mention_count desc, entity.id limit 1
      ), member as (
        select id from named union all select member.id from named join entity as member on member.canonical_id = named.id
      )
      select distinct entity.platform_id as id from member join entity on entity.id = member.id
      where entity.type = 'channel' and entity.platform_id is not null order by 1`)),
  ];
}

/** The platform's ids of the channels that read as a canonical entity: its own, and those of channels that were merged into it. */
export async function listChannelsOf(db: Queryable, entityId: number): Promise<readonly string[]> {
  return db.anyFirst(sql.type(idRow)`
    select distinct platform_id as id from entity
    where (id = ${entityId} or canonical_id = ${entityId}) and type = 'channel' and platform_id is not null order by 1`);
}

const channelRow = z.object({ id: z.string(), name: z.string(), sponsor_count: count });
/** A channel of the platform; `sponsorCount` is that of the default list of its sponsors. */
export type Channel = { id: string; name: string; sponsorCount: number };

/** A channel that has media in the index; null where there is none. */
export async function readChannel(db: Queryable, id: string, now: Date): Promise<Channel | null> {
  const row = await db.maybeOne(sql.type(channelRow)`
    select channel.id, channel.name, ${sponsorCount(now)} as sponsor_count from channel where channel.id = ${id} and ${hasMedia}`);
  return row === null ? null : { id: row.id, name: row.name, sponsorCount: row.sponsor_count };
}

const boughtRow = entityFields
  .extend({ paid: z.boolean(), supplied_id: count, sponsor_count: count, ...brandProfileFields })
  .transform((row) => ({
    paid: row.paid,
    entity: shapeEntity(row),
    suppliedId: row.supplied_id,
    sponsorCount: row.sponsor_count,
    totals: shapeBrandProfile(row),
  }));
/** What a channel's own entity is, how many sponsors it has, and the totals of its commercial rows, where they are asked for and exist. */
export type BoughtChannel = z.output<typeof boughtRow>;

/** Reads a channel that has media in the index with its entity, and debits the price; null where there is no such channel or it has no entity. */
export async function buyChannel(
  db: Queryable,
  purchase: Purchase,
  asked: { id: string; withTotals: boolean; strata: readonly number[]; now: Date },
): Promise<BoughtChannel | null> {
  return db.maybeOne(sql.type(boughtRow)`
    with found as materialized (
      select 1 as n, ${entityColumns}, supplied.id as supplied_id, ${sponsorCount(asked.now)} as sponsor_count, totals.*
      from channel
      join lateral (
        select * from entity where entity.platform_id = channel.id and entity.type = 'channel' order by entity.id limit 1
      ) as supplied on true ${resolved}
      left join lateral (${totalsOf(asked.strata)}) as totals on ${asked.withTotals}
      where channel.id = ${asked.id} and ${hasMedia}
    ), ${pricedBy(purchase)}, ${chargeFor("channel read")}
    select found.*, paid.n is not null as paid from found left join paid using (n)`);
}

const hasMedia = sql.fragment`exists (select from video where video.channel_id = channel.id)`;

/** Of `channel`: sponsors with enough ad reads, and the known ones among the others. */
function sponsorCount(now: Date): SqlFragment {
  const before = momentOf(activeSince(now));
  const infrequent = sql.fragment`channel_sponsor.channel_id = channel.id and is_known
    and ad_read_level = any(${sql.array(levelsBelow(defaultMinAdReads), "int2")})`;
  return sql.fragment`(
    coalesce((select frequent_sponsor_count from channel_commerce where channel_commerce.channel_id = channel.id), 0)
    + (select count(*) from channel_sponsor where ${infrequent} and judged_at is null and sorted_at < ${before})
    + (select count(*) from channel_sponsor where ${infrequent} and judged_at < ${before})
  )`;
}

/** Of `channel` and its `entity`. */
function totalsOf(strata: readonly number[]): SqlFragment {
  const strataOf = sql.fragment`unnest(${sql.array([...strata], "int2")}) as stratum`;
  return sql.fragment`
    select channel_commerce.ad_read_count::int4 as total_ad_reads, channel_commerce.endorsement_count::int4 as total_endorsements,
      (channel_commerce.row_count > 0)::int4 as unique_shows,
      (select min(seen.sorted_at) from ${strataOf} ${seenAtEnd(sql.fragment`asc`)}) as first_seen_at,
      (select max(seen.sorted_at) from ${strataOf} ${seenAtEnd(sql.fragment`desc`)}) as last_seen_at,
      (select count(*)::int4 from channel_sponsor where channel_sponsor.entity_id = entity.id and is_known) as channels_as_sponsor
    from channel_commerce where channel_commerce.channel_id = channel.id`;
}

/** The first or the last dated row of each stratum of a channel. */
function seenAtEnd(order: SqlFragment): SqlFragment {
  return sql.fragment`cross join lateral (
    select sorted_at from recommendation
    where recommendation.channel_id = channel.id and recommendation.stratum = stratum.stratum and sorted_at > '0001-01-01Z'
    order by sorted_at ${order} limit 1
  ) as seen`;
}
