import { z } from "zod";
import type { AttemptOutcome, DeliveryPurpose, DeliveryStatus } from "../domain/alerts.ts";
import type { DeliveryChannel } from "../domain/deliveryChoice.ts";
import { type Queryable, sql, timestamp, type Transaction } from "./pool.ts";

/** An attempt, and what it makes of its delivery. */
export interface AttemptRecord {
  deliveryId: string;
  alertId: string | null;
  trackerId: string | null;
  monitorId: string | null;
  channel: DeliveryChannel;
  purpose: DeliveryPurpose;
  number: number;
  outcome: AttemptOutcome;
  at: Date;
  latencyMilliseconds: number | null;
  responseStatus: number | null;
  responseExcerpt: string | null;
  errorKind: string | null;
  /** Whether it tells of how the monitor's own webhook does: not a test, and to the monitor's address. */
  judges: "webhook" | "nothing";
  status: DeliveryStatus;
  reason: string | null;
  nextAttemptAt: Date | null;
  takenBy: readonly string[];
}

/** Keeps what becomes of an occurrence in one hand, to the end of the transaction. */
export async function lockAlert(transaction: Transaction, alertId: string): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    select from alert_occurrence where id = ${alertId} for no key update`);
}

const recordedRow = z
  .object({
    delivery_ids: z.array(z.string()),
    failure_count: z.number().nullable(),
    failing_since: timestamp.nullable(),
    counted: z.boolean().nullable(),
    disabled: z.boolean().nullable(),
  })
  .transform((row) => ({
    /** Of them, those that were not known yet. */
    freshDeliveryIds: new Set(row.delivery_ids),
    /** The failures of the monitor's webhook in a row, where one of the attempts was counted among them. */
    failureRun: row.counted === true ? { failures: row.failure_count ?? 0, firstFailedAt: row.failing_since } : null,
    /** One of the attempts was at a webhook that has been disabled since. */
    failedDisabled: row.disabled === true,
  }));
export type RecordedAttempts = z.output<typeof recordedRow>;

/** Failures of attempts begun before the webhook was last enabled, or that end after it was disabled, are nobody's news. */
const counts = sql.fragment`(news.failed_at >= coalesce(monitor.webhook_enabled_at, '-infinity') and monitor.webhook_disabled_at is null)`;

/**
 * Writes attempts of one alert, or of one test, in one statement: each into the log unless it stands there already, and with it where its
 * delivery stands, what its tracker and its monitor count, and what becomes of the occurrence: `delivered` by the first success, `failed`
 * when all is over without one. Attempts of the same alert that may end at the same time are to be written under `lockAlert`.
 */
export async function recordAttempts(db: Queryable, attempts: readonly AttemptRecord[]): Promise<RecordedAttempts> {
  const told = attempts.map((attempt) => ({
    delivery_id: attempt.deliveryId,
    occurrence_id: attempt.alertId,
    tracker_id: attempt.trackerId,
    monitor_id: attempt.monitorId,
    channel: attempt.channel,
    purpose: attempt.purpose,
    number: attempt.number,
    outcome: attempt.outcome,
    at: attempt.at,
    latency_milliseconds: attempt.latencyMilliseconds,
    response_status: attempt.responseStatus,
    response_excerpt: attempt.responseExcerpt,
    error_kind: attempt.errorKind,
    judges_webhook: attempt.judges === "webhook",
    status: attempt.status,
    reason: attempt.reason,
    next_attempt_at: attempt.nextAttemptAt,
    taken_by: attempt.takenBy,
  }));
  return db.one(sql.type(recordedRow)`
    with told as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as told (delivery_id text, occurrence_id text, tracker_id text,
        monitor_id text, channel text, purpose text, number integer, outcome text, at timestamptz, latency_milliseconds integer,
        response_status integer, response_excerpt text, error_kind text, judges_webhook boolean, status text, reason text,
        next_attempt_at timestamptz, taken_by text[])
    ), added as (
      insert into delivery_attempt (delivery_id, monitor_id, channel, number, outcome, at, latency_milliseconds, response_status,
        response_excerpt, error_kind)
      select delivery_id, monitor_id, channel, number, outcome, at, latency_milliseconds, response_status, response_excerpt, error_kind
      from told order by delivery_id
      on conflict on constraint delivery_attempt_once do nothing
      returning delivery_id
    ), fresh as materialized (
      select told.* from told join added using (delivery_id)
    ), judged as (
      update monitor set
        last_notified_at = greatest(last_notified_at, news.notified_at),
        webhook_failure_count = case when news.recovered then 0 when ${counts} then webhook_failure_count + 1 else webhook_failure_count end,
        webhook_failing_since = case when news.recovered then null when ${counts} then least(webhook_failing_since, news.failed_at)
          else webhook_failing_since end
      from (
        select monitor_id, max(at) filter (where outcome = 'succeeded' and purpose <> 'test') as notified_at,
          coalesce(bool_or(judges_webhook and outcome = 'succeeded'), false) as recovered,
          min(at) filter (where judges_webhook and outcome = 'failed') as failed_at
        from fresh where monitor_id is not null group by monitor_id
      ) as news
      where monitor.id = news.monitor_id and (news.notified_at is not null or news.recovered or news.failed_at is not null)
      returning monitor.webhook_failure_count, monitor.webhook_failing_since, coalesce(${counts}, false) as counted,
        news.failed_at is not null and monitor.webhook_disabled_at is not null as disabled
    ), moved as (
      update alert_delivery as delivery set status = fresh.status, reason = fresh.reason, next_attempt_at = fresh.next_attempt_at,
        attempts = case when fresh.outcome = 'skipped' then delivery.attempts else fresh.number end,
        response_status = case when fresh.outcome = 'skipped' then delivery.response_status else fresh.response_status end,
        last_attempt_at = case when fresh.outcome = 'skipped' then delivery.last_attempt_at else fresh.at end, taken_by = fresh.taken_by
      from fresh where delivery.id = fresh.delivery_id
    ), watched as (
      update tracker set last_notified_at = greatest(last_notified_at, news.at), email_delivery_count = email_delivery_count + news.emails,
        chat_delivery_count = chat_delivery_count + news.chats, webhook_delivery_count = webhook_delivery_count + news.webhooks
      from (
        select tracker_id, max(at) as at, count(*) filter (where channel = 'email') as emails, count(*) filter (where channel = 'chat') as chats,
          count(*) filter (where channel = 'webhook') as webhooks
        from fresh where outcome = 'succeeded' and tracker_id is not null and purpose <> 'test' group by tracker_id
      ) as news
      where tracker.id = news.tracker_id
    ), settled as (
      update alert_occurrence as alert set status = news.status
      from (
        select occurrence_id, case when bool_or(outcome = 'succeeded') then 'delivered' else 'failed' end as status
        from fresh where occurrence_id is not null group by occurrence_id
        having bool_or(outcome = 'succeeded') or not exists (
          select from alert_delivery as other left join fresh as newer on newer.delivery_id = other.id
          where other.occurrence_id = fresh.occurrence_id and other.purpose = 'alert' and coalesce(newer.status, other.status) = 'pending'
        )
      ) as news
      where alert.id = news.occurrence_id
        and (alert.status = 'pending' or (alert.status = 'failed' and news.status = 'delivered'))
    )
    select array(select delivery_id from fresh) as delivery_ids, judged.webhook_failure_count as failure_count,
      judged.webhook_failing_since as failing_since, judged.counted, judged.disabled
    from (select) as one left join judged on true`);
}
