import { z } from "zod";
import type { MentionRow, RecommendationRow, SponsorRow } from "../../domain/imports/rows.ts";
import type { AdPassage } from "../../domain/imports/sponsorBlock.ts";
import { sql, type Transaction } from "../pool.ts";
import { shareVideoCopies } from "../videoCopies.ts";
import { stagedRows } from "./staged.ts";

export type EvidenceFault =
  | "unknown_video"
  | "video_without_channel"
  | "unknown_entity"
  | "unknown_channel"
  | "appearances_person_only";
/** A row that was not stored, by its place among those given. */
type FaultyRow = { index: number; fault: EvidenceFault };

export interface StoredRows {
  imported: number;
  updated: number;
  faults: readonly FaultyRow[];
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
    ]),
  })
  .transform(({ n, fault }): FaultyRow => ({ index: Number(n) - 1, fault }));

const mentionColumns = sql.fragment`video_id text collate "C", entity int8, start_seconds float8, end_seconds float8, quote text,
  is_appearance bool, appearance_role text, in_ad bool, sentiment_score float8, confidence float8`;
const canonicalType = sql.fragment`coalesce(canonical.type, entity.type)`;
const joinEntity = sql.fragment`join entity on entity.id = staged.entity left join entity as canonical on canonical.id = entity.canonical_id`;

/** Stores mentions, those of one place in a video once. What a row leaves out stays as it is. */
export async function storeMentions(transaction: Transaction, rows: readonly MentionRow[]): Promise<StoredRows> {
  await shareVideoCopies(transaction);
  const mentions = stagedRows(rows, mentionColumns);
  const { rowCount: imported } = await transaction.query(sql.typeAlias("void")`
    insert into mention (video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, is_appearance,
      appearance_role, in_ad, sentiment_score, confidence, source)
    select staged.video_id, staged.entity, video.channel_id, coalesce(video.published_at, '0001-01-01Z'),
      case when ${canonicalType} in ('company', 'brand') then 'organization' else ${canonicalType} end,
      staged.start_seconds, staged.end_seconds, staged.quote, coalesce(staged.is_appearance, false), staged.appearance_role,
      coalesce(staged.in_ad, false), staged.sentiment_score, coalesce(staged.confidence, 1), 'import'
    from ${mentions} join video on video.id = staged.video_id and video.channel_id is not null ${joinEntity}
    where staged.is_appearance is not true or ${canonicalType} = 'person'
    order by staged.ordinality
    on conflict on constraint mention_place do nothing`);
  if (imported === rows.length) return { imported, updated: 0, faults: [] };

  const { rowCount: updated } = await transaction.query(sql.typeAlias("void")`
    update mention set quote = staged.quote, appearance_role = coalesce(staged.appearance_role, mention.appearance_role),
      in_ad = coalesce(staged.in_ad, mention.in_ad), sentiment_score = coalesce(staged.sentiment_score, mention.sentiment_score),
      confidence = coalesce(staged.confidence, mention.confidence), source = 'import'
    from ${mentions}
    where mention.video_id = staged.video_id and mention.entity_id = staged.entity and mention.start_seconds = staged.start_seconds
      and mention.end_seconds = staged.end_seconds and mention.is_appearance = coalesce(staged.is_appearance, false)
      and (mention.quote, mention.appearance_role, mention.in_ad, mention.sentiment_score, mention.confidence, mention.source)
        is distinct from (staged.quote, coalesce(staged.appearance_role, mention.appearance_role), coalesce(staged.in_ad, mention.in_ad),
          coalesce(staged.sentiment_score, mention.sentiment_score), coalesce(staged.confidence, mention.confidence), 'import')`);
  const faults = await transaction.any(sql.type(faultRow)`
    select staged.ordinality as n, case when video.id is null then 'unknown_video' when video.channel_id is null then 'video_without_channel'
      when entity.id is null then 'unknown_entity' else 'appearances_person_only' end as fault
    from ${mentions} left join video on video.id = staged.video_id left ${joinEntity}
    where video.channel_id is null or entity.id is null or (staged.is_appearance and ${canonicalType} <> 'person')`);
  return { imported, updated, faults };
}

const recommendationColumns = sql.fragment`video_id text collate "C", entity int8, mention_class text collate "C", start_seconds int4,
  end_seconds int4, verbatim_quote text, promo_code text, offer text, confidence float8, speaker_role text`;

/** Stores commercial rows, as `storeMentions` does. */
export async function storeRecommendations(
  transaction: Transaction,
  rows: readonly RecommendationRow[],
): Promise<StoredRows> {
  await shareVideoCopies(transaction);
  const recommendations = stagedRows(rows, recommendationColumns);
  const { rowCount: imported } = await transaction.query(sql.typeAlias("void")`
    insert into recommendation (video_id, entity_id, channel_id, sorted_at, mention_class, start_seconds, end_seconds, verbatim_quote,
      promo_code, offer, confidence, speaker_role, source)
    select staged.video_id, staged.entity, video.channel_id, coalesce(video.published_at, '0001-01-01Z'), staged.mention_class,
      staged.start_seconds, staged.end_seconds, staged.verbatim_quote, staged.promo_code, staged.offer, staged.confidence,
      staged.speaker_role, 'import'
    from ${recommendations} join video on video.id = staged.video_id and video.channel_id is not null join entity on entity.id = staged.entity
    order by staged.ordinality
    on conflict on constraint recommendation_place do nothing`);
  if (imported === rows.length) return { imported, updated: 0, faults: [] };

  const { rowCount: updated } = await transaction.query(sql.typeAlias("void")`
    update recommendation set verbatim_quote = coalesce(staged.verbatim_quote, recommendation.verbatim_quote),
      promo_code = coalesce(staged.promo_code, recommendation.promo_code), offer = coalesce(staged.offer, recommendation.offer),
      confidence = staged.confidence, speaker_role = coalesce(staged.speaker_role, recommendation.speaker_role), source = 'import'
    from ${recommendations}
    where recommendation.video_id = staged.video_id and recommendation.entity_id = staged.entity
      and recommendation.mention_class = staged.mention_class and recommendation.start_seconds is not distinct from staged.start_seconds
      and recommendation.end_seconds is not distinct from staged.end_seconds
      and (recommendation.verbatim_quote, recommendation.promo_code, recommendation.offer, recommendation.confidence,
          recommendation.speaker_role, recommendation.source)
        is distinct from (coalesce(staged.verbatim_quote, recommendation.verbatim_quote),
          coalesce(staged.promo_code, recommendation.promo_code), coalesce(staged.offer, recommendation.offer), staged.confidence,
          coalesce(staged.speaker_role, recommendation.speaker_role), 'import')`);
  const faults = await transaction.any(sql.type(faultRow)`
    select staged.ordinality as n, case when video.id is null then 'unknown_video' when video.channel_id is null then 'video_without_channel'
      else 'unknown_entity' end as fault
    from ${recommendations} left join video on video.id = staged.video_id left join entity on entity.id = staged.entity
    where video.channel_id is null or entity.id is null`);
  return { imported, updated, faults };
}

/** Stores which advertisers are known to sponsor a channel. */
export async function storeSponsors(transaction: Transaction, rows: readonly SponsorRow[]): Promise<StoredRows> {
  const sponsors = stagedRows(rows, sql.fragment`channel_id text collate "C", entity int8`);
  const { rowCount: imported } = await transaction.query(sql.typeAlias("void")`
    insert into known_advertiser (channel_id, entity_id)
    select channel.id, entity.id from ${sponsors} join channel on channel.id = staged.channel_id join entity on entity.id = staged.entity
    on conflict do nothing`);
  if (imported === rows.length) return { imported, updated: 0, faults: [] };
  const faults = await transaction.any(sql.type(faultRow)`
    select staged.ordinality as n, case when channel.id is null then 'unknown_channel' else 'unknown_entity' end as fault
    from ${sponsors} left join channel on channel.id = staged.channel_id left join entity on entity.id = staged.entity
    where channel.id is null or entity.id is null`);
  return { imported, updated: 0, faults };
}

/** Marks the mentions that lie inside the passages as made in an ad; `updated` counts mentions. */
export async function markAds(transaction: Transaction, passages: readonly AdPassage[]): Promise<StoredRows> {
  const ads = stagedRows(passages, sql.fragment`video_id text collate "C", start_seconds float8, end_seconds float8`);
  const { rowCount: updated } = await transaction.query(sql.typeAlias("void")`
    update mention set in_ad = true from ${ads}
    where mention.video_id = staged.video_id and mention.start_seconds >= staged.start_seconds
      and mention.end_seconds <= staged.end_seconds and not mention.in_ad`);
  const faults = await transaction.any(sql.type(faultRow)`
    select staged.ordinality as n, 'unknown_video' as fault
    from ${ads} where not exists (select from video where video.id = staged.video_id)`);
  return { imported: 0, updated, faults };
}
