import { z } from "zod";
import { count, type Queryable, sql } from "./pool.ts";

const ids = z.array(z.string()).transform((list) => list.map(Number));

const factsRow = z
  .object({
    channel_exists: z.boolean(),
    ad_read_count: count.nullable(),
    found_ad_read_count: count,
    reviews: z.array(z.object({ entity_id: z.int(), is_sponsor: z.boolean(), ad_reads_added: z.int() })),
    recommendation_ids: ids,
    known_member_ids: ids,
  })
  .transform((row) => ({
    channelExists: row.channel_exists,
    /** As lists show it; null: it is no sponsor. */
    adReadCount: row.ad_read_count,
    /** As its rows say. */
    foundAdReadCount: row.found_ad_read_count,
    /** What reviewers said of it, member by member. */
    reviews: row.reviews.map((said) => ({
      memberId: said.entity_id,
      isSponsor: said.is_sponsor,
      adReadsAdded: said.ad_reads_added,
    })),
    /** Of members that reviewers did not say to be no sponsor. */
    recommendationIds: row.recommendation_ids,
    /** Of the same, those that are curated. */
    knownMemberIds: row.known_member_ids,
  }));

/** What makes a canonical entity, with all that reads as it, a sponsor of a channel, and what reviewers said of it. */
export async function readSponsorFacts(
  db: Queryable,
  channelId: string,
  entityId: number,
  memberIds: readonly number[],
): Promise<z.output<typeof factsRow>> {
  const members = sql.array([...memberIds], "int8");
  return db.one(sql.type(factsRow)`
    with said as (
      select entity_id, is_sponsor, ad_reads_added from sponsor_review where channel_id = ${channelId} and entity_id = any(${members})
    ), counted as (
      select member as id from unnest(${members}) as member where member not in (select entity_id from said where not is_sponsor)
    )
    select exists (select from channel where id = ${channelId}) as channel_exists,
      (select ad_read_count from channel_sponsor where channel_id = ${channelId} and entity_id = ${entityId}) as ad_read_count,
      (select coalesce(sum(ad_read_count), 0)::bigint from commercial_tally join counted on entity_id = id where channel_id = ${channelId}) as found_ad_read_count,
      (select coalesce(json_agg(said order by entity_id), '[]') from said) as reviews,
      array(select recommendation.id::text from recommendation join counted on entity_id = counted.id where channel_id = ${channelId} order by recommendation.id)
        as recommendation_ids,
      array(select entity_id::text from known_advertiser join counted on entity_id = id where channel_id = ${channelId} order by entity_id) as known_member_ids`);
}
