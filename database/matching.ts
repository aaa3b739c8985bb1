import { z } from "zod";
import type { AlertKind } from "../domain/filters/trackerFilters.ts";
import { mediaColumns, mediaFields, shapeMedia } from "./media.ts";
import { count, type Queryable, sql } from "./pool.ts";

const matchableRow = z
  .object({
    id: count,
    video_id: z.string(),
    canonical_id: count,
    channel_id: z.string(),
    language: z.string().nullable(),
    start_seconds: z.number(),
    quote: z.string(),
    context_before: z.string().nullable(),
    context_after: z.string().nullable(),
    is_appearance: z.boolean(),
    appearance_role: z.string().nullable(),
    in_ad: z.boolean(),
    sentiment_score: z.number().nullable(),
    confidence: z.number(),
  })
  .transform((row) => ({
    mentionId: row.id,
    videoId: row.video_id,
    canonicalId: row.canonical_id,
    channelId: row.channel_id,
    language: row.language,
    startSeconds: row.start_seconds,
    quote: row.quote,
    contextBefore: row.context_before,
    contextAfter: row.context_after,
    isAppearance: row.is_appearance,
    appearanceRole: row.appearance_role,
    inAd: row.in_ad,
    sentimentScore: row.sentiment_score,
    confidence: row.confidence,
  }));
/** A mention as filters look at it, under its canonical entity. */
export type MatchableMention = z.output<typeof matchableRow>;

const matchableColumns = sql.fragment`mention.id, mention.video_id, coalesce(entity.canonical_id, entity.id) as canonical_id, mention.channel_id,
  video.language, mention.start_seconds, mention.quote, mention.context_before, mention.context_after, mention.is_appearance,
  mention.appearance_role, mention.in_ad, mention.sentiment_score, mention.confidence`;

/** All mentions of these videos. */
export async function listMatchable(db: Queryable, videoIds: readonly string[]): Promise<readonly MatchableMention[]> {
  return db.any(sql.type(matchableRow)`
    select ${matchableColumns} from mention join video on video.id = mention.video_id join entity on entity.id = mention.entity_id
    where mention.video_id = any(${sql.array([...videoIds], "text")})`);
}

/** As `listMatchable`, by the numbers of mentions. */
export async function listMatchableById(
  db: Queryable,
  mentionIds: readonly number[],
): Promise<readonly MatchableMention[]> {
  return db.any(sql.type(matchableRow)`
    select ${matchableColumns} from mention join video on video.id = mention.video_id join entity on entity.id = mention.entity_id
    where mention.id = any(${sql.array([...mentionIds], "int8")})`);
}

/** What was said of these entities in videos published in `[from, to)`. */
export async function listMatchableOfTime(
  db: Queryable,
  entityIds: readonly number[],
  time: { from: Date; to: Date },
): Promise<readonly MatchableMention[]> {
  return db.any(sql.type(matchableRow)`
    select ${matchableColumns} from mention join video on video.id = mention.video_id join entity on entity.id = mention.entity_id
    where mention.entity_id = any(${sql.array([...entityIds], "int8")})
      and mention.sorted_at >= ${time.from.toISOString()} and mention.sorted_at < ${time.to.toISOString()}`);
}

const shownRow = z
  .object({ ...mediaFields, id: count, end_seconds: z.number() })
  .transform((row) => ({ mentionId: row.id, media: shapeMedia(row), endSeconds: row.end_seconds }));
/** What an alert shows of a mention beyond what filters look at. */
export type ShownMention = z.output<typeof shownRow>;

export async function listShown(db: Queryable, mentionIds: readonly number[]): Promise<readonly ShownMention[]> {
  return db.any(sql.type(shownRow)`
    select mention.id, mention.end_seconds, ${mediaColumns}
    from mention join video on video.id = mention.video_id join channel on channel.id = video.channel_id
    where mention.id = any(${sql.array([...mentionIds], "int8")})`);
}

const watchedRow = z
  .object({ id: count, canonical_id: count })
  .transform((row) => ({ entityId: row.id, canonicalId: row.canonical_id }));
/** An entity that trackers name, and the canonical entity that it is now. */
export type WatchedEntity = z.output<typeof watchedRow>;

/** Of the canonical entities given, all members that some tracker which is not paused names, in order of their numbers. */
export async function listWatched(db: Queryable, canonicalIds: readonly number[]): Promise<readonly WatchedEntity[]> {
  return db.any(sql.type(watchedRow)`
    with spoken as materialized (
      select unnest(${sql.array([...canonicalIds], "int8")}) as id
    ), member as (
      select id, id as canonical_id from spoken
      union all select entity.id, entity.canonical_id from spoken join entity on entity.canonical_id = spoken.id
    )
    select id, canonical_id from member
    where exists (select from tracker where tracker.entity_id = member.id and tracker.paused_at is null) order by id`);
}

/** Of these entities, merged or not, those that some tracker which is not paused watches. */
export async function listWatchedOf(db: Queryable, entityIds: readonly number[]): Promise<readonly number[]> {
  return db.anyFirst(sql.type(z.object({ id: count }))`
    with asked as materialized (
      select entity.id, coalesce(entity.canonical_id, entity.id) as canonical_id
      from unnest(${sql.array([...entityIds], "int8")}) as told (id) join entity on entity.id = told.id
    )
    select id from asked
    where exists (select from tracker where tracker.entity_id = asked.canonical_id and tracker.paused_at is null)
      or exists (
        select from entity as member join tracker on tracker.entity_id = member.id and tracker.paused_at is null
        where member.canonical_id = asked.canonical_id
      )`);
}

const activeRow = z
  .object({ id: z.string(), entity_id: count, filters: z.string() })
  .transform((row) => ({ trackerId: row.id, entityId: row.entity_id, filters: row.filters }));
/** A tracker that listens: neither it nor its monitor is paused. `filters` as JSON text. */
export type ActiveTracker = z.output<typeof activeRow>;

/** Where a page of active trackers ends. */
export type TrackerPosition = Pick<ActiveTracker, "entityId" | "trackerId">;

/**
 * Trackers that listen to any of these entities and have fired for the video neither now nor ever, by entity and id, after a position.
 * Walks the index of trackers by entity, so its cost is that of the trackers found.
 */
export async function listActiveTrackers(
  db: Queryable,
  asked: { entityIds: readonly number[]; videoId: string; after: TrackerPosition; limit: number },
): Promise<readonly ActiveTracker[]> {
  const { entityIds, videoId, after, limit } = asked;
  return db.any(sql.type(activeRow)`
    select tracker.id, tracker.entity_id, tracker.filters::text
    from tracker left join monitor on monitor.id = tracker.monitor_id
    where tracker.entity_id = any(${sql.array([...entityIds], "int8")}) and (tracker.entity_id, tracker.id) > (${after.entityId}, ${after.trackerId})
      and tracker.paused_at is null and monitor.paused_at is null
      and not exists (select from alert_occurrence where tracker_id = tracker.id and video_id = ${videoId})
    order by tracker.entity_id, tracker.id limit ${limit}`);
}

/** What fires. */
export interface NewOccurrence {
  alertId: string;
  eventId: string;
  trackerId: string;
  kind: AlertKind;
  /** The mention that it shows. */
  mentionId: number;
  mentionCount: number;
}

/**
 * Writes occurrences, each with the message that has it delivered, in the caller's transaction; what a tracker has fired for a video before
 * is left as it was. Returns how many are new.
 */
export async function insertOccurrences(db: Queryable, occurrences: readonly NewOccurrence[]): Promise<number> {
  const rows = occurrences.map((each) => [
    each.alertId,
    each.eventId,
    each.trackerId,
    each.kind,
    each.mentionId,
    each.mentionCount,
  ]);
  const { rowCount } = await db.query(sql.typeAlias("void")`
    with added as (
      insert into alert_occurrence (id, account_id, tracker_id, tracker_name, monitor_id, monitor_name, video_id, entity_id, entity_name,
        entity_type, event_id, kind, mention_id, mention_count, start_seconds, end_seconds, quote, sentiment_score, confidence, appearance_role)
      select told.id, tracker.account_id, tracker.id, coalesce(tracker.display_name, canonical.name), monitor.id, monitor.name, mention.video_id,
        canonical.id, canonical.name, canonical.type, told.event_id, told.kind, mention.id, told.mention_count, mention.start_seconds,
        mention.end_seconds, mention.quote, mention.sentiment_score, mention.confidence, mention.appearance_role
      from ${sql.unnest(rows, ["text", "text", "text", "text", "int8", "int4"])}
          as told (id, event_id, tracker_id, kind, mention_id, mention_count)
        join tracker on tracker.id = told.tracker_id
        left join monitor on monitor.id = tracker.monitor_id
        join mention on mention.id = told.mention_id
        join entity on entity.id = mention.entity_id
        join entity as canonical on canonical.id = coalesce(entity.canonical_id, entity.id)
      order by told.id
      on conflict on constraint alert_once do nothing
      returning id
    )
    insert into outbox (kind, subject) select 'alert.start', id from added order by id`);
  return rowCount;
}
