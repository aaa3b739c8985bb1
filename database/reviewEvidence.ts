import { z } from "zod";
import { entityTypes } from "../domain/entities.ts";
import { entityReferenceColumns, entityReferenceFields, shapeEntityReference } from "./entityReference.ts";
import { mediaColumns, mediaFields, shapeMedia } from "./media.ts";
import { mentionColumns, mentionFields, mentionJoins, shapeMention } from "./mentionRow.ts";
import { count, type Queryable, sql, timestamp } from "./pool.ts";
import { recommendationColumns, recommendationFields, shapeRecommendation } from "./recommendationRow.ts";

const placeFields = {
  segment_id: z.string().nullable(),
  char_start: z.number().nullable(),
  char_end: z.number().nullable(),
};
const placeOf = (row: { segment_id: string | null; char_start: number | null; char_end: number | null }) => ({
  segmentId: row.segment_id,
  charStart: row.char_start,
  charEnd: row.char_end,
});

const mentionRow = z
  .object({ ...mentionFields, ...placeFields })
  .transform((row) => ({ ...shapeMention(row), place: placeOf(row) }));
/** A mention with its place in the transcript, for reviewers and so free. */
export type ReviewedMention = z.output<typeof mentionRow>;

export async function readReviewedMention(db: Queryable, id: number): Promise<ReviewedMention | null> {
  return db.maybeOne(sql.type(mentionRow)`
    select ${mentionColumns}, mention.segment_id, mention.char_start, mention.char_end from mention ${mentionJoins} where mention.id = ${id}`);
}

const recommendationRow = z
  .object({ ...recommendationFields, ...entityReferenceFields, ...mediaFields, ...placeFields })
  .transform((row) => ({
    ...shapeRecommendation(row),
    entity: shapeEntityReference(row),
    media: shapeMedia(row),
    place: placeOf(row),
  }));
export type ReviewedRecommendation = z.output<typeof recommendationRow>;

export async function readReviewedRecommendation(db: Queryable, id: number): Promise<ReviewedRecommendation | null> {
  return db.maybeOne(sql.type(recommendationRow)`
    select ${recommendationColumns}, ${entityReferenceColumns}, ${mediaColumns}, recommendation.segment_id, recommendation.char_start, recommendation.char_end
    from recommendation join entity as detected on detected.id = recommendation.entity_id
      join entity on entity.id = coalesce(detected.canonical_id, detected.id)
      join video on video.id = recommendation.video_id join channel on channel.id = recommendation.channel_id
    where recommendation.id = ${id}`);
}

const alertRow = z
  .object({
    ...mediaFields,
    id: z.string(),
    monitor_id: z.string().nullable(),
    tracker_id: z.string(),
    kind: z.string(),
    status: z.string(),
    mention_id: count,
    entity_id: count,
    entity_name: z.string(),
    entity_type: z.enum(entityTypes),
    start_seconds: z.number(),
    end_seconds: z.number(),
    quote: z.string(),
    fired_at: timestamp,
    retracted_at: timestamp.nullable(),
  })
  .transform((row) => ({
    alertId: row.id,
    monitorId: row.monitor_id,
    trackerId: row.tracker_id,
    kind: row.kind,
    status: row.status,
    mentionId: row.mention_id,
    entity: { numericId: row.entity_id, name: row.entity_name, type: row.entity_type },
    media: shapeMedia(row),
    startSeconds: row.start_seconds,
    endSeconds: row.end_seconds,
    quote: row.quote,
    firedAt: row.fired_at,
    retractedAt: row.retracted_at,
  }));
/** An alert of any account. */
export type ReviewedAlert = z.output<typeof alertRow>;

export async function readReviewedAlert(db: Queryable, alertId: string): Promise<ReviewedAlert | null> {
  return db.maybeOne(sql.type(alertRow)`
    select alert.id, alert.monitor_id, alert.tracker_id, alert.kind, alert.status, alert.mention_id, alert.entity_id, alert.entity_name,
      alert.entity_type, alert.start_seconds, alert.end_seconds, alert.quote, alert.fired_at, alert.retracted_at, ${mediaColumns}
    from alert_occurrence as alert join video on video.id = alert.video_id join channel on channel.id = video.channel_id
    where alert.id = ${alertId}`);
}

const sponsorRow = z
  .object({
    ad_read_count: count,
    endorsement_count: count,
    first_seen_at: timestamp.nullable(),
    last_seen_at: timestamp.nullable(),
    promo_codes: z.array(z.string()),
    is_known: z.boolean(),
  })
  .transform((row) => ({
    adReadCount: row.ad_read_count,
    endorsementCount: row.endorsement_count,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    promoCodes: row.promo_codes,
    isKnownAdvertiser: row.is_known,
  }));
export type ReviewedSponsor = z.output<typeof sponsorRow>;

/** What the sponsors of a channel say of a canonical entity; null where it is none. */
export async function readReviewedSponsor(
  db: Queryable,
  channelId: string,
  entityId: number,
): Promise<ReviewedSponsor | null> {
  return db.maybeOne(sql.type(sponsorRow)`
    select ad_read_count, endorsement_count, first_seen_at, last_seen_at, promo_codes, is_known
    from channel_sponsor where channel_id = ${channelId} and entity_id = ${entityId}`);
}

const wordRow = z.tuple([z.string(), z.number(), z.number()]).rest(z.unknown());
const segmentRow = z
  .object({
    id: z.string(),
    start_seconds: z.number(),
    end_seconds: z.number(),
    text: z.string(),
    words: z.array(wordRow).nullable(),
  })
  .transform((row) => ({
    id: row.id,
    startSeconds: row.start_seconds,
    endSeconds: row.end_seconds,
    text: row.text,
    words: (row.words ?? []).map(([text, startSeconds, endSeconds]) => ({ text, startSeconds, endSeconds })),
  }));

/** What is said in a video from a second to a second, as its transcript or, where it has none, its captions have it, in order. */
export async function listSpoken(
  db: Queryable,
  videoId: string,
  time: { fromSeconds: number; toSeconds: number },
): Promise<readonly z.output<typeof segmentRow>[]> {
  const spoken = await db.any(sql.type(segmentRow)`
    select id, start_seconds, end_seconds, text, words from transcript_segment
    where video_id = ${videoId} and end_seconds > ${time.fromSeconds} and start_seconds < ${time.toSeconds} order by position`);
  if (spoken.length > 0) return spoken;
  return db.any(sql.type(segmentRow)`
    select 'cue_' || (n - 1) as id, (segment ->> 'start')::float8 as start_seconds, (segment ->> 'end')::float8 as end_seconds,
      segment ->> 'text' as text, segment -> 'words' as words
    from caption_track, jsonb_array_elements(segments) with ordinality as told (segment, n)
    where video_id = ${videoId} and (segment ->> 'end')::float8 > ${time.fromSeconds} and (segment ->> 'start')::float8 < ${time.toSeconds}
    order by n`);
}
