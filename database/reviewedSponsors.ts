import { z } from "zod";
import { count, type Queryable, sql } from "./pool.ts";

const ids = z.array(z.string()).transform((list) => list.map(Number));

const factsRow = z
  .object({
    channel_exists: z.boolean(),
    ad_read_count: count.nullable(),
    is_reviewed: z.boolean(),
    is_sponsor: z.boolean().nullable(),
    ad_reads_added: z.number().nullable(),
    recommendation_ids: ids,
    known_member_ids: ids,
  })
  .transform((row) => ({
    channelExists: row.channel_exists,
    /** As lists show it; null: it is no sponsor. */
    adReadCount: row.ad_read_count,
    isReviewed: row.is_reviewed,
    isSponsor: row.is_sponsor ?? true,
    adReadsAdded: row.ad_reads_added ?? 0,
    recommendationIds: row.recommendation_ids,
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
    select exists (select from channel where id = ${channelId}) as channel_exists, sponsor.ad_read_count, said.channel_id is not null as is_reviewed,
      said.is_sponsor, said.ad_reads_added,
      array(select id::text from recommendation where channel_id = ${channelId} and entity_id = any(${members}) order by id) as recommendation_ids,
      array(select entity_id::text from known_advertiser where channel_id = ${channelId} and entity_id = any(${members}) order by 1) as known_member_ids
    from (select) as nothing
      left join channel_sponsor as sponsor on sponsor.channel_id = ${channelId} and sponsor.entity_id = ${entityId}
      left join sponsor_review as said on said.channel_id = ${channelId} and said.entity_id = ${entityId}`);
}
