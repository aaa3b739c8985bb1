import { z } from "zod";
import type { MentionRow, RecommendationRow, SponsorRow } from "../../domain/imports/rows.ts";
import type { AdPassage } from "../../domain/imports/sponsorBlock.ts";
import { sql, type Transaction } from "../pool.ts";
import { stagedRows } from "./staged.ts";

export type EvidenceFault =
  | "unknown_video"
  | "video_without_channel"
  | "unknown_entity"
  | "unknown_channel"
  | "appearances_person_only";
/** A row that was not stored, by its place among those given. `settled`: reviewers have settled what it tells of. */
type FaultyRow = { index: number; fault: EvidenceFault | "settled" };

export interface StoredRows {
  imported: number;
  updated: number;
  faults: readonly FaultyRow[];
}

/** Rows of which those that tell of places that reviewers have settled are marked, and the rows of the index that reviewers let stand. */
export interface MarkedRows<Row> {
  rows: readonly (Row & { settled?: boolean })[];
  settledIds: readonly number[];
}

const faultRow = z
  .object({
    n: z.bigint(),
    fault: z.enum([
      "unknown_video",
      "video_without_channel",
      "unknown_entity",
      "unknown_channel",
      "appearances_person_only",
      "settled",
    ]),
  })
  .transform(({ n, fault }): FaultyRow => ({ index: Number(n) - 1, fault }));

const mentionColumns = sql.fragment`video_id text collate "C", entity int8, start_seconds float8, end_seconds float8, quote text,
  is_appearance bool, appearance_role text, in_ad bool, sentiment_score float8, confidence float8, settled bool`;
const atMention = sql.fragment`mention.video_id = staged.video_id and mention.entity_id = staged.entity
  and mention.start_seconds = staged.start_seconds and mention.end_seconds = staged.end_seconds
  and mention.is_appearance = coalesce(staged.is_appearance, false)`;
const canonicalType = sql.fragment`coalesce(canonical.type, entity.type)`;
const joinEntity = sql.fragment`join entity on entity.id = staged.entity left join entity as canonical on canonical.id = entity.canonical_id`;

/**
 * Stores mentions, those of one place in a video once. What a row leaves out stays as it is. Of settled places nothing is added, and what
 * reviewers let stand is left; a row beside it that they did not look at is the import's as before. Under `shareForEvidence`.
 */
export async function storeMentions(
  transaction: Transaction,
  { rows, settledIds }: MarkedRows<MentionRow>,
): Promise<StoredRows> {
  const isOpen = sql.fragment`mention.id <> all(${sql.array([...settledIds], "int8")})`;
  const mentions = stagedRows(rows, mentionColumns);
  const { rowCount: imported } = await transaction.query(sql.typeAlias("void")`
    insert into mention (video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, is_appearance,
      appearance_role, in_ad, sentiment_score, confidence, source)
    select staged.video_id, staged.entity, video.channel_id, coalesce(video.published_at, '0001-01-01Z'),
      group_of_type(${canonicalType}),
      staged.start_seconds, staged.end_seconds, staged.quote, coalesce(staged.is_appearance, false), staged.appearance_role,
      coalesce(staged.in_ad, false), staged.sentiment_score, coalesce(staged.confidence, 1), 'import'
    from ${mentions} join video on video.id = staged.video_id and video.channel_id is not null ${joinEntity}
    where staged.settled is not true and (staged.is_appearance is not true or ${canonicalType} = 'person')
    order by staged.ordinality
    on conflict on constraint mention_place do nothing`);
  if (imported === rows.length) return { imported, updated: 0, faults: [] };

  const { rowCount: updated } = await transaction.query(sql.typeAlias("void")`
    update mention set quote = staged.quote, appearance_role = coalesce(staged.appearance_role, mention.appearance_role),
      in_ad = coalesce(staged.in_ad, mention.in_ad), sentiment_score = coalesce(staged.sentiment_score, mention.sentiment_score),
      confidence = coalesce(staged.confidence, mention.confidence), source = 'import'
    from ${mentions}
    where ${atMention} and ${isOpen}
      and (mention.quote, mention.appearance_role, mention.in_ad, mention.sentiment_score, mention.confidence, mention.source)
        is distinct from (staged.quote, coalesce(staged.appearance_role, mention.appearance_role), coalesce(staged.in_ad, mention.in_ad),
          coalesce(staged.sentiment_score, mention.sentiment_score), coalesce(staged.confidence, mention.confidence), 'import')`);
  const faults = await transaction.any(sql.type(faultRow)`
    select staged.ordinality as n, case when video.id is null then 'unknown_video' when video.channel_id is null then 'video_without_channel'
      when entity.id is null then 'unknown_entity' when staged.is_appearance and ${canonicalType} <> 'person' then 'appearances_person_only'
      else 'settled' end as fault
    from ${mentions} left join video on video.id = staged.video_id left ${joinEntity}
    where video.channel_id is null or entity.id is null or (staged.is_appearance and ${canonicalType} <> 'person')
      or (staged.settled and not exists (select from mention where ${atMention} and ${isOpen}))`);
  return { imported, updated, faults };
}

const recommendationColumns = sql.fragment`video_id text collate "C", entity int8, mention_class text collate "C", start_seconds int4,
  end_seconds int4, verbatim_quote text, promo_code text, offer text, confidence float8, speaker_role text, settled bool`;
const atRecommendation = sql.fragment`recommendation.video_id = staged.video_id and recommendation.entity_id = staged.entity
  and recommendation.mention_class = staged.mention_class and recommendation.start_seconds is not distinct from staged.start_seconds
  and recommendation.end_seconds is not distinct from staged.end_seconds`;

/** Stores commercial rows, as `storeMentions` does. */
export async function storeRecommendations(
  transaction: Transaction,
  { rows, settledIds }: MarkedRows<RecommendationRow>,
): Promise<StoredRows> {
  const isOpen = sql.fragment`recommendation.id <> all(${sql.array([...settledIds], "int8")})`;
  const recommendations = stagedRows(rows, recommendationColumns);
  const { rowCount: imported } = await transaction.query(sql.typeAlias("void")`
    insert into recommendation (video_id, entity_id, channel_id, sorted_at, mention_class, start_seconds, end_seconds, verbatim_quote,
      promo_code, offer, confidence, speaker_role, source)
    select staged.video_id, staged.entity, video.channel_id, coalesce(video.published_at, '0001-01-01Z'), staged.mention_class,
      staged.start_seconds, staged.end_seconds, staged.verbatim_quote, staged.promo_code, staged.offer, staged.confidence,
      staged.speaker_role, 'import'
    from ${recommendations} join video on video.id = staged.video_id and video.channel_id is not null join entity on entity.id = staged.entity
    where staged.settled is not true
    order by staged.ordinality
    on conflict on constraint recommendation_place do nothing`);
  if (imported === rows.length) return { imported, updated: 0, faults: [] };

  const { rowCount: updated } = await transaction.query(sql.typeAlias("void")`
    update recommendation set verbatim_quote = coalesce(staged.verbatim_quote, recommendation.verbatim_quote),
      promo_code = coalesce(staged.promo_code, recommendation.promo_code), offer = coalesce(staged.offer, recommendation.offer),
      confidence = staged.confidence, speaker_role = coalesce(staged.speaker_role, recommendation.speaker_role), source = 'import'
    from ${recommendations}
    where ${atRecommendation} and ${isOpen}
      and (recommendation.verbatim_quote, recommendation.promo_code, recommendation.offer, recommendation.confidence,
          recommendation.speaker_role, recommendation.source)
        is distinct from (coalesce(staged.verbatim_quote, recommendation.verbatim_quote),
          coalesce(staged.promo_code, recommendation.promo_code), coalesce(staged.offer, recommendation.offer), staged.confidence,
          coalesce(staged.speaker_role, recommendation.speaker_role), 'import')`);
  const faults = await transaction.any(sql.type(faultRow)`
    select staged.ordinality as n, case when video.id is null then 'unknown_video' when video.channel_id is null then 'video_without_channel'
      when entity.id is null then 'unknown_entity' else 'settled' end as fault
    from ${recommendations} left join video on video.id = staged.video_id left join entity on entity.id = staged.entity
    where video.channel_id is null or entity.id is null
      or (staged.settled and not exists (select from recommendation where ${atRecommendation} and ${isOpen}))`);
  return { imported, updated, faults };
}

/** Whether a correction in force took away what a row tells of, as that entity's. */
const isTakenAway = sql.fragment`exists (
  select from review_row as taken where taken.table_name = 'known_advertiser' and taken.reverted_at is null and taken.after is null
    and taken.row_key = jsonb_build_object('channel_id', staged.channel_id, 'entity_id', staged.entity)
)`;

/** Stores which advertisers are known to sponsor a channel. Under `shareForEvidence`. */
export async function storeSponsors(transaction: Transaction, rows: readonly SponsorRow[]): Promise<StoredRows> {
  const sponsors = stagedRows(rows, sql.fragment`channel_id text collate "C", entity int8`);
  const { rowCount: imported } = await transaction.query(sql.typeAlias("void")`
    insert into known_advertiser (channel_id, entity_id)
    select channel.id, entity.id from ${sponsors} join channel on channel.id = staged.channel_id join entity on entity.id = staged.entity
    where not ${isTakenAway}
    on conflict do nothing`);
  if (imported === rows.length) return { imported, updated: 0, faults: [] };
  const faults = await transaction.any(sql.type(faultRow)`
    select staged.ordinality as n, case when channel.id is null then 'unknown_channel' when entity.id is null then 'unknown_entity'
      else 'settled' end as fault
    from ${sponsors} left join channel on channel.id = staged.channel_id left join entity on entity.id = staged.entity
    where channel.id is null or entity.id is null or (${isTakenAway} and not exists (
      select from known_advertiser as known where known.channel_id = staged.channel_id and known.entity_id = staged.entity))`);
  return { imported, updated: 0, faults };
}

/** Marks the mentions that lie inside the passages as made in an ad, but for those that reviewers let stand; `updated` counts mentions. */
export async function markAds(transaction: Transaction, passages: readonly AdPassage[]): Promise<StoredRows> {
  const ads = stagedRows(passages, sql.fragment`video_id text collate "C", start_seconds float8, end_seconds float8`);
  const { rowCount: updated } = await transaction.query(sql.typeAlias("void")`
    update mention set in_ad = true from ${ads}
    where mention.video_id = staged.video_id and mention.start_seconds >= staged.start_seconds
      and mention.end_seconds <= staged.end_seconds and not mention.in_ad
      and not exists (
        select from reviewed_evidence as settled
        where settled.video_id = mention.video_id and settled.row_id = mention.id and settled.kind <> 'commercial'
      )`);
  const faults = await transaction.any(sql.type(faultRow)`
    select staged.ordinality as n, 'unknown_video' as fault
    from ${ads} where not exists (select from video where video.id = staged.video_id)`);
  return { imported: 0, updated, faults };
}
