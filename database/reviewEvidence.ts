import { z } from "zod";
import { entityTypes } from "../domain/entities.ts";
import { type Entity, entityColumns, entityFields, resolved, shapeEntity } from "./entities.ts";
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

/** Of the numbers those that are there, in any order, as the other lists here. */
export async function listReviewedMentions(db: Queryable, ids: readonly number[]): Promise<readonly ReviewedMention[]> {
  if (ids.length === 0) return [];
  return db.any(sql.type(mentionRow)`
    select ${mentionColumns}, mention.segment_id, mention.char_start, mention.char_end from mention ${mentionJoins}
    where mention.id = any(${sql.array([...ids], "int8")})`);
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

export async function listReviewedRecommendations(
  db: Queryable,
  ids: readonly number[],
): Promise<readonly ReviewedRecommendation[]> {
  if (ids.length === 0) return [];
  return db.any(sql.type(recommendationRow)`
    select ${recommendationColumns}, ${entityReferenceColumns}, ${mediaColumns}, recommendation.segment_id, recommendation.char_start, recommendation.char_end
    from recommendation join entity as detected on detected.id = recommendation.entity_id
      join entity on entity.id = coalesce(detected.canonical_id, detected.id)
      join video on video.id = recommendation.video_id join channel on channel.id = recommendation.channel_id
    where recommendation.id = any(${sql.array([...ids], "int8")})`);
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

export async function listReviewedAlerts(
  db: Queryable,
  alertIds: readonly string[],
): Promise<readonly ReviewedAlert[]> {
  if (alertIds.length === 0) return [];
  return db.any(sql.type(alertRow)`
    select alert.id, alert.monitor_id, alert.tracker_id, alert.kind, alert.status, alert.mention_id, alert.entity_id, alert.entity_name,
      alert.entity_type, alert.start_seconds, alert.end_seconds, alert.quote, alert.fired_at, alert.retracted_at, ${mediaColumns}
    from alert_occurrence as alert join video on video.id = alert.video_id join channel on channel.id = video.channel_id
    where alert.id = any(${sql.array([...alertIds], "text")})`);
}

const entityRow = entityFields
  .extend({ supplied_id: count })
  .transform((row): [number, Entity] => [row.supplied_id, shapeEntity(row)]);

/** What numbers of entities resolve to, by these numbers. */
export async function readReviewedEntities(
  db: Queryable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Entity>> {
  if (ids.length === 0) return new Map();
  return new Map(
    await db.any(sql.type(entityRow)`
      select supplied.id as supplied_id, ${entityColumns} from entity as supplied ${resolved}
      where supplied.id = any(${sql.array([...ids], "int8")})`),
  );
}

const sponsorRow = z
  .object({
    channel_id: z.string(),
    entity_id: count,
    ad_read_count: count,
    endorsement_count: count,
    first_seen_at: timestamp.nullable(),
    last_seen_at: timestamp.nullable(),
    promo_codes: z.array(z.string()),
    is_known: z.boolean(),
  })
  .transform((row) => ({
    channelId: row.channel_id,
    entityId: row.entity_id,
    adReadCount: row.ad_read_count,
    endorsementCount: row.endorsement_count,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    promoCodes: row.promo_codes,
    isKnownAdvertiser: row.is_known,
  }));
export type ReviewedSponsor = z.output<typeof sponsorRow>;

/** A canonical entity as sponsor of a channel. */
export interface SponsorPair {
  channelId: string;
  entityId: number;
}

/** What the sponsors of channels say of canonical entities; a pair that is no sponsor is left out. */
export async function listReviewedSponsors(
  db: Queryable,
  pairs: readonly SponsorPair[],
): Promise<readonly ReviewedSponsor[]> {
  if (pairs.length === 0) return [];
  const rows = pairs.map(({ channelId, entityId }) => [channelId, entityId]);
  return db.any(sql.type(sponsorRow)`
    select channel_id, entity_id, ad_read_count, endorsement_count, first_seen_at, last_seen_at, promo_codes, is_known
    from channel_sponsor where (channel_id, entity_id) in (select * from ${sql.unnest(rows, ["text", "int8"])})`);
}

const titleRow = z
  .object({ id: z.string(), title: z.string().nullable() })
  .transform((row) => ({ videoId: row.id, title: row.title }));

/** What videos are called. */
export async function listVideoTitles(
  db: Queryable,
  videoIds: readonly string[],
): Promise<readonly z.output<typeof titleRow>[]> {
  if (videoIds.length === 0) return [];
  return db.any(sql.type(titleRow)`
    select id, title from video where id = any(${sql.array([...videoIds], "text")})`);
}
