import { z } from "zod";
import { alertStatuses, attemptOutcomes, deliveryPurposes, deliveryStatuses } from "../domain/alerts.ts";
import { deliveryChannels } from "../domain/deliveryChoice.ts";
import { alertKinds } from "../domain/filters/trackerFilters.ts";
import { mediaColumns, mediaFields, shapeMedia } from "./media.ts";
import { count, type Queryable, sql, timestamp } from "./pool.ts";

const startRow = z
  .object({
    id: z.string(),
    account_id: z.string(),
    monitor_id: z.string().nullable(),
    video_id: z.string(),
    entity_id: count,
  })
  .transform((row) => ({
    occurrenceId: row.id,
    accountId: row.account_id,
    /** Null for a tracker that was under no monitor. */
    monitorId: row.monitor_id,
    videoId: row.video_id,
    entityId: row.entity_id,
  }));
/** What the delivery of an occurrence is found by. */
export type AlertStart = z.output<typeof startRow>;

/** Those of them that there are. */
export async function listAlertStarts(db: Queryable, occurrenceIds: readonly string[]): Promise<readonly AlertStart[]> {
  return db.any(sql.type(startRow)`
    select id, account_id, monitor_id, video_id, entity_id from alert_occurrence
    where id = any(${sql.array([...occurrenceIds], "text")})`);
}

const deliveryState = z
  .object({
    channel: z.enum(deliveryChannels),
    status: z.enum(deliveryStatuses),
    attempts: z.number(),
    response_status: z.number().nullable(),
    last_attempt_at: z.number().nullable(),
    next_attempt_at: z.number().nullable(),
  })
  .transform((row) => ({
    channel: row.channel,
    status: row.status,
    attempts: row.attempts,
    responseStatus: row.response_status,
    lastAttemptAt: row.last_attempt_at === null ? null : new Date(row.last_attempt_at),
    nextAttemptAt: row.next_attempt_at === null ? null : new Date(row.next_attempt_at),
  }));

const alertRow = z
  .object({
    ...mediaFields,
    id: z.string(),
    kind: z.enum(alertKinds),
    status: z.enum(alertStatuses),
    mention_id: count,
    entity_id: count,
    entity_name: z.string(),
    monitor_id: z.string().nullable(),
    monitor_name: z.string().nullable(),
    tracker_id: z.string(),
    start_seconds: z.number(),
    end_seconds: z.number(),
    quote: z.string(),
    sentiment_score: z.number().nullable(),
    mention_count: z.number(),
    rows_billed: count,
    fired_at: timestamp,
    retracted_at: timestamp.nullable(),
    deliveries: z.array(deliveryState),
  })
  .transform((row) => ({
    alertId: row.id,
    kind: row.kind,
    status: row.status,
    mentionId: row.mention_id,
    entityId: row.entity_id,
    entityName: row.entity_name,
    monitorId: row.monitor_id,
    monitorName: row.monitor_name,
    trackerId: row.tracker_id,
    media: shapeMedia(row),
    startSeconds: row.start_seconds,
    endSeconds: row.end_seconds,
    quote: row.quote,
    sentimentScore: row.sentiment_score,
    mentionCount: row.mention_count,
    rowsBilled: row.rows_billed,
    firedAt: row.fired_at,
    /** When a reviewer took it back; null: it stands. */
    retractedAt: row.retracted_at,
    deliveries: row.deliveries,
  }));
/** A fired alert with where its deliveries stand, the newest of each channel. */
export type Alert = z.output<typeof alertRow>;

export interface AlertPosition {
  firedAt: Date;
  alertId: string;
}

/** A monitor's alerts, newest first, after a position, with those that reviewers took back. */
export async function listAlerts(
  db: Queryable,
  monitorId: string,
  { limit, after }: { limit: number; after: AlertPosition | null },
): Promise<readonly Alert[]> {
  const behind =
    after === null
      ? sql.fragment``
      : sql.fragment`and (alert.fired_at, alert.id) < (${after.firedAt.toISOString()}::timestamptz, ${after.alertId})`;
  return db.any(sql.type(alertRow)`
    select alert.id, alert.kind, alert.status, alert.mention_id, alert.entity_id, alert.entity_name, alert.monitor_id, alert.monitor_name,
      alert.tracker_id, alert.start_seconds, alert.end_seconds, alert.quote, alert.sentiment_score, alert.mention_count, alert.rows_billed,
      alert.fired_at, alert.retracted_at, ${mediaColumns},
      coalesce((
        select jsonb_agg(jsonb_build_object('channel', channel, 'status', status, 'attempts', attempts, 'response_status', response_status,
          'last_attempt_at', floor(extract(epoch from last_attempt_at) * 1000), 'next_attempt_at', floor(extract(epoch from next_attempt_at) * 1000))
          order by channel)
        from (
          select distinct on (channel) * from alert_delivery where occurrence_id = alert.id order by channel, id desc
        ) as newest
      ), '[]') as deliveries
    from alert_occurrence as alert
      join video on video.id = alert.video_id
      join channel on channel.id = video.channel_id
    where alert.monitor_id = ${monitorId} ${behind}
    order by alert.fired_at desc, alert.id desc limit ${limit}`);
}

const attemptRow = z
  .object({
    id: count,
    delivery_id: z.string(),
    occurrence_id: z.string().nullable(),
    event_id: z.string(),
    channel: z.enum(deliveryChannels),
    purpose: z.enum(deliveryPurposes),
    number: z.number(),
    outcome: z.enum(attemptOutcomes),
    at: timestamp,
    latency_milliseconds: z.number().nullable(),
    response_status: z.number().nullable(),
    response_excerpt: z.string().nullable(),
    error_kind: z.string().nullable(),
  })
  .transform((row) => ({
    attemptId: row.id,
    deliveryId: row.delivery_id,
    alertId: row.occurrence_id,
    eventId: row.event_id,
    channel: row.channel,
    purpose: row.purpose,
    number: row.number,
    outcome: row.outcome,
    at: row.at,
    latencyMilliseconds: row.latency_milliseconds,
    responseStatus: row.response_status,
    responseExcerpt: row.response_excerpt,
    errorKind: row.error_kind,
  }));
/** One attempt to deliver something. */
export type DeliveryAttempt = z.output<typeof attemptRow>;

export interface AttemptPosition {
  at: Date;
  attemptId: number;
}

/** A monitor's attempts, newest first, after a position. */
export async function listAttempts(
  db: Queryable,
  monitorId: string,
  page: { limit: number; after: AttemptPosition | null },
): Promise<readonly DeliveryAttempt[]> {
  const { limit, after } = page;
  const behind =
    after === null
      ? sql.fragment``
      : sql.fragment`and (attempt.at, attempt.id) < (${after.at.toISOString()}::timestamptz, ${after.attemptId})`;
  return db.any(sql.type(attemptRow)`
    select attempt.id, attempt.delivery_id, delivery.occurrence_id, delivery.event_id, attempt.channel, delivery.purpose, attempt.number,
      attempt.outcome, attempt.at, attempt.latency_milliseconds, attempt.response_status, attempt.response_excerpt, attempt.error_kind
    from delivery_attempt as attempt join alert_delivery as delivery on delivery.id = attempt.delivery_id
    where attempt.monitor_id = ${monitorId} ${behind} order by attempt.at desc, attempt.id desc limit ${limit}`);
}
