import { z } from "zod";
import type { AppearanceRole, MentionClass } from "../domain/evidence.ts";
import type { TextPlace } from "../domain/textPlace.ts";
import { count, type Queryable, sql, type SqlFragment, timestamp, type Transaction } from "./pool.ts";

/** What a video's evidence was detected from. */
export interface EvidenceOrigin {
  source: "speech" | "captions";
  /** Null for a preliminary scan. */
  transcriptRevision: number | null;
  detectorVersion: string;
}

/** The row that a piece of evidence continues; null for a new one. */
interface Continued {
  continues: { id: number; createdAt: Date } | null;
}

/** A mention as it is stored. */
export interface StoredMention extends TextPlace, Continued {
  entityId: number;
  startSeconds: number;
  endSeconds: number;
  quote: string;
  contextBefore: string | null;
  contextAfter: string | null;
  surfaceForm: string | null;
  speakerId: string | null;
  speakerName: string | null;
  speakerEntityId: number | null;
  isAppearance: boolean;
  appearanceRole: AppearanceRole | null;
  speakingSeconds: number | null;
  inAd: boolean;
  sentimentScore: number | null;
  confidence: number;
}

/** A commercial row as it is stored; seconds are whole. */
export interface StoredCommercial extends TextPlace, Continued {
  entityId: number;
  mentionClass: MentionClass;
  startSeconds: number;
  endSeconds: number;
  verbatimQuote: string;
  promoCode: string | null;
  offer: string | null;
  sentimentScore: number | null;
  confidence: number;
  speakerRole: string | null;
}

const placedRow = z
  .object({
    id: count,
    entity_id: count,
    canonical_id: count,
    kind: z.string(),
    start_seconds: z.number(),
    end_seconds: z.number(),
    created_at: timestamp,
  })
  .transform((row) => ({
    id: row.id,
    entityId: row.entity_id,
    canonicalId: row.canonical_id,
    kind: row.kind,
    startSeconds: row.start_seconds,
    endSeconds: row.end_seconds,
    createdAt: row.created_at,
  }));
/** Where a detected row stands now. `kind` is `mention` or `appearance`, or the class of a commercial row. */
export type PlacedEvidence = z.output<typeof placedRow>;

/** Lets one writer at a time replace a video's evidence. Held to the end of the transaction. */
export async function lockEvidence(transaction: Transaction, videoId: string): Promise<void> {
  await transaction.query(sql.typeAlias("void")`select from video where id = ${videoId} for no key update`);
}

/**
 * Holds the entities whose evidence changes, all at once and in one order: each statement that writes some of it locks its own, so that two
 * videos which name the same entities would wait for each other in a circle.
 */
export async function lockNamed(transaction: Transaction, entityIds: readonly number[]): Promise<void> {
  await transaction.query(sql.typeAlias("void")`select from lock_entities(${sql.array([...entityIds], "int8")})`);
}

const ofIds = (ids: readonly number[] | null, column: SqlFragment) =>
  ids === null ? sql.fragment`` : sql.fragment`and ${column} = any(${sql.array([...ids], "int8")})`;

/** The video's detected mentions, those with the ids or all; imported ones are nobody's to replace. */
export async function listDetectedMentions(
  db: Queryable,
  videoId: string,
  ids: readonly number[] | null,
): Promise<readonly PlacedEvidence[]> {
  return db.any(sql.type(placedRow)`
    select mention.id, entity.id as entity_id, coalesce(entity.canonical_id, entity.id) as canonical_id,
      case when is_appearance then 'appearance' else 'mention' end as kind, start_seconds, end_seconds, mention.created_at
    from mention join entity on entity.id = mention.entity_id
    where video_id = ${videoId} and source <> 'import' ${ofIds(ids, sql.fragment`mention.id`)}`);
}

/** As `listDetectedMentions`, of commercial rows. */
export async function listDetectedCommercials(
  db: Queryable,
  videoId: string,
  ids: readonly number[] | null,
): Promise<readonly PlacedEvidence[]> {
  return db.any(sql.type(placedRow)`
    select recommendation.id, entity.id as entity_id, coalesce(entity.canonical_id, entity.id) as canonical_id, mention_class as kind,
      start_seconds::float8, end_seconds::float8, recommendation.created_at
    from recommendation join entity on entity.id = recommendation.entity_id
    where video_id = ${videoId} and source <> 'import' ${ofIds(ids, sql.fragment`recommendation.id`)}`);
}

const mentionsPerStatement = 500;

/** Puts `mentions` in the place of the rows `goneIds`; rows that continue keep their number and the time they were made. Returns the numbers of those that were written. */
export async function replaceMentions(
  transaction: Transaction,
  videoId: string,
  origin: EvidenceOrigin,
  change: { goneIds: readonly number[]; mentions: readonly StoredMention[] },
): Promise<readonly number[]> {
  // Deleted and written again rather than updated: rows may take each other's places, which a unique key does not allow row by row.
  await transaction.query(sql.typeAlias("void")`
    delete from mention where id = any(${sql.array([...change.goneIds], "int8")})`);
  const writtenIds: number[] = [];
  // The process does nothing else while it makes a statement.
  for (let from = 0; from < change.mentions.length; from += mentionsPerStatement)
    writtenIds.push(
      ...(await insertMentions(transaction, videoId, origin, change.mentions.slice(from, from + mentionsPerStatement))),
    );
  return writtenIds;
}

async function insertMentions(
  transaction: Transaction,
  videoId: string,
  origin: EvidenceOrigin,
  mentions: readonly StoredMention[],
): Promise<readonly number[]> {
  const rows = mentions.map((mention) => [
    mention.continues?.id ?? null,
    mention.continues?.createdAt.toISOString() ?? null,
    mention.entityId,
    mention.startSeconds,
    mention.endSeconds,
    mention.quote,
    mention.contextBefore,
    mention.contextAfter,
    mention.surfaceForm,
    mention.speakerId,
    mention.speakerName,
    mention.speakerEntityId,
    mention.isAppearance,
    mention.appearanceRole,
    mention.speakingSeconds,
    mention.inAd,
    mention.sentimentScore,
    mention.confidence,
    mention.segmentId,
    mention.charStart,
    mention.charEnd,
  ]);
  return transaction.anyFirst(sql.type(z.object({ id: count }))`
    insert into mention (id, video_id, entity_id, channel_id, sorted_at, entity_type, start_seconds, end_seconds, quote, context_before,
      context_after, surface_form, speaker_id, speaker_name, speaker_entity_id, is_appearance, appearance_role, speaking_seconds, in_ad,
      sentiment_score, confidence, segment_id, char_start, char_end, source, transcript_revision, detector_version, created_at)
    overriding system value
    select coalesce(told.id, nextval(pg_get_serial_sequence('mention', 'id'))), video.id, told.entity_id, video.channel_id,
      coalesce(video.published_at, '0001-01-01Z'), group_of_type(canonical.type),
      told.start_seconds, told.end_seconds, told.quote, told.context_before, told.context_after, told.surface_form, told.speaker_id,
      told.speaker_name, told.speaker_entity_id, told.is_appearance, told.appearance_role, told.speaking_seconds, told.in_ad,
      told.sentiment_score, told.confidence, told.segment_id, told.char_start, told.char_end,
      ${origin.source}, ${origin.transcriptRevision}::int4, ${origin.detectorVersion}, coalesce(told.created_at, now())
    from ${sql.unnest(rows, [
      "int8",
      "timestamptz",
      "int8",
      "float8",
      "float8",
      "text",
      "text",
      "text",
      "text",
      "text",
      "text",
      "int8",
      "bool",
      "text",
      "float8",
      "bool",
      "float8",
      "float8",
      "text",
      "int4",
      "int4",
    ])} as told (id, created_at, entity_id, start_seconds, end_seconds, quote, context_before, context_after, surface_form, speaker_id, speaker_name,
      speaker_entity_id, is_appearance, appearance_role, speaking_seconds, in_ad, sentiment_score, confidence, segment_id, char_start, char_end)
    join video on video.id = ${videoId}
    join entity on entity.id = told.entity_id
    join entity as canonical on canonical.id = coalesce(entity.canonical_id, entity.id)
    on conflict on constraint mention_place do nothing
    returning mention.id`);
}

/** As `replaceMentions`, for commercial rows. */
export async function replaceCommercials(
  transaction: Transaction,
  videoId: string,
  origin: EvidenceOrigin,
  change: { goneIds: readonly number[]; commercials: readonly StoredCommercial[] },
): Promise<void> {
  const rows = change.commercials.map((row) => [
    row.continues?.id ?? null,
    row.continues?.createdAt.toISOString() ?? null,
    row.entityId,
    row.mentionClass,
    row.startSeconds,
    row.endSeconds,
    row.verbatimQuote,
    row.promoCode,
    row.offer,
    row.sentimentScore,
    row.confidence,
    row.speakerRole,
    row.segmentId,
    row.charStart,
    row.charEnd,
  ]);
  await transaction.query(sql.typeAlias("void")`
    delete from recommendation where id = any(${sql.array([...change.goneIds], "int8")})`);
  await transaction.query(sql.typeAlias("void")`
    insert into recommendation (id, video_id, entity_id, channel_id, sorted_at, mention_class, start_seconds, end_seconds, verbatim_quote,
      promo_code, offer, sentiment_score, confidence, speaker_role, segment_id, char_start, char_end, source, transcript_revision,
      detector_version, created_at)
    overriding system value
    select coalesce(told.id, nextval(pg_get_serial_sequence('recommendation', 'id'))), video.id, told.entity_id, video.channel_id,
      coalesce(video.published_at, '0001-01-01Z'), told.mention_class, told.start_seconds, told.end_seconds, told.verbatim_quote, told.promo_code,
      told.offer, told.sentiment_score, told.confidence, told.speaker_role, told.segment_id, told.char_start, told.char_end,
      ${origin.source}, ${origin.transcriptRevision}::int4, ${origin.detectorVersion}, coalesce(told.created_at, now())
    from ${sql.unnest(rows, [
      "int8",
      "timestamptz",
      "int8",
      "text",
      "int4",
      "int4",
      "text",
      "text",
      "text",
      "float8",
      "float8",
      "text",
      "text",
      "int4",
      "int4",
    ])} as told (id, created_at, entity_id, mention_class, start_seconds, end_seconds, verbatim_quote, promo_code, offer, sentiment_score, confidence,
      speaker_role, segment_id, char_start, char_end)
    join video on video.id = ${videoId}
    on conflict on constraint recommendation_place do nothing`);
}

/** Notes what the video's evidence was made from. */
export async function recordVideoIndex(
  transaction: Transaction,
  videoId: string,
  origin: EvidenceOrigin,
): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    insert into video_index (video_id, source, transcript_revision, detector_version)
    values (${videoId}, ${origin.source}, ${origin.transcriptRevision}, ${origin.detectorVersion})
    on conflict (video_id) do update set source = excluded.source, transcript_revision = excluded.transcript_revision,
      detector_version = excluded.detector_version, indexed_at = now()`);
}
