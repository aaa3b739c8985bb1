import { z } from "zod";
import { alertStatuses, deliveryPurposes, deliveryStatuses } from "../domain/alerts.ts";
import { deliveryChannels, type DeliveryChannel } from "../domain/deliveryChoice.ts";
import type { SkipReason } from "../domain/delivery/attemptReport.ts";
import { entityTypes } from "../domain/entities.ts";
import { appearanceRoles } from "../domain/evidence.ts";
import { alertKinds } from "../domain/filters/trackerFilters.ts";
import { tiers } from "../domain/plans.ts";
import type { RowAllowance } from "../domain/rowPool.ts";
import { mediaColumns, mediaFields, shapeMedia } from "./media.ts";
import { count, type Queryable, sql, timestamp } from "./pool.ts";

const trackerDelivery = z
  .object({
    notify_email: z.boolean().nullable(),
    notify_chat: z.boolean().nullable(),
    chat_integration_id: z.string().nullable(),
    chat_channel_id: z.string().nullable(),
    notify_webhook: z.boolean().nullable(),
    webhook_url: z.string().nullable(),
    is_paused: z.boolean(),
  })
  .transform((row) => ({
    notifyEmail: row.notify_email,
    notifyChat: row.notify_chat,
    chatIntegrationId: row.chat_integration_id,
    chatChannelId: row.chat_channel_id,
    notifyWebhook: row.notify_webhook,
    webhookUrl: row.webhook_url,
    isPaused: row.is_paused,
  }));

const monitorDelivery = z
  .object({
    notify_email: z.boolean(),
    email_addresses: z.array(z.string()),
    notify_chat: z.boolean(),
    chat_integration_id: z.string().nullable(),
    chat_channel_id: z.string().nullable(),
    notify_webhook: z.boolean(),
    webhook_url: z.string().nullable(),
    secret_set: z.boolean(),
    is_paused: z.boolean(),
    is_disabled: z.boolean(),
  })
  .transform((row) => ({
    notifyEmail: row.notify_email,
    emailAddresses: row.email_addresses,
    notifyChat: row.notify_chat,
    chatIntegrationId: row.chat_integration_id,
    chatChannelId: row.chat_channel_id,
    notifyWebhook: row.notify_webhook,
    webhookUrl: row.webhook_url,
    webhookSecretSet: row.secret_set,
    isPaused: row.is_paused,
    isWebhookDisabled: row.is_disabled,
  }));

/** What a monitor says about delivery, as JSON that `monitorDelivery` reads; for statements that know a `monitor`. */
const monitorJson = sql.fragment`jsonb_build_object('notify_email', monitor.notify_email, 'email_addresses', monitor.email_addresses,
  'notify_chat', monitor.notify_chat, 'chat_integration_id', monitor.chat_integration_id, 'chat_channel_id', monitor.chat_channel_id,
  'notify_webhook', monitor.notify_webhook, 'webhook_url', monitor.webhook_url,
  'secret_set', exists (select from monitor_webhook_secret as secret where secret.monitor_id = monitor.id),
  'is_paused', monitor.paused_at is not null, 'is_disabled', monitor.webhook_disabled_at is not null)`;

const alertRow = z
  .object({
    ...mediaFields,
    id: z.string(),
    account_id: z.string(),
    email: z.string(),
    tier: z.enum(tiers),
    monthly_rows: count.nullable(),
    on_demand: z.boolean(),
    spend_cap_cents: z.number().nullable(),
    status: z.enum(alertStatuses),
    begun: z.boolean(),
    event_id: z.string(),
    kind: z.enum(alertKinds),
    tracker_id: z.string(),
    tracker_name: z.string(),
    monitor_id: z.string().nullable(),
    monitor_name: z.string().nullable(),
    entity_id: count,
    entity_name: z.string(),
    entity_type: z.enum(entityTypes),
    mention_id: count,
    mention_count: z.number(),
    start_seconds: z.number(),
    end_seconds: z.number(),
    quote: z.string(),
    sentiment_score: z.number().nullable(),
    confidence: z.number(),
    appearance_role: z.enum(appearanceRoles).nullable(),
    rows_billed: count,
    fired_at: timestamp,
    retracted_at: timestamp.nullable(),
    tracker: trackerDelivery.nullable(),
    monitor: monitorDelivery.nullable(),
  })
  .transform((row) => ({
    alertId: row.id,
    accountId: row.account_id,
    accountEmail: row.email,
    plan: {
      tier: row.tier,
      monthlyRows: row.monthly_rows,
      onDemand: row.on_demand,
      spendCapCents: row.spend_cap_cents,
    },
    status: row.status,
    /** Whether it was paid for. */
    begun: row.begun,
    eventId: row.event_id,
    kind: row.kind,
    trackerId: row.tracker_id,
    trackerName: row.tracker_name,
    monitorId: row.monitor_id,
    monitorName: row.monitor_name,
    entity: { numericId: row.entity_id, name: row.entity_name, type: row.entity_type },
    mention: {
      numericId: row.mention_id,
      quote: row.quote,
      sentimentScore: row.sentiment_score,
      confidence: row.confidence,
    },
    mentionCount: row.mention_count,
    startSeconds: row.start_seconds,
    endSeconds: row.end_seconds,
    role: row.appearance_role,
    rowsBilled: row.rows_billed,
    firedAt: row.fired_at,
    /** When a reviewer took it back; null: it stands. */
    retractedAt: row.retracted_at,
    media: shapeMedia(row),
    /** Its tracker and the monitor that it fired under as they are now; null where they are gone, or there was none. */
    tracker: row.tracker,
    monitor: row.monitor,
  }));
/** A fired alert as it is kept, with what its tracker and its monitor say now, and who pays. */
export type FiredAlert = z.output<typeof alertRow>;

/** Those of the occurrences that there are, in any order. */
export async function listFiredAlerts(db: Queryable, alertIds: readonly string[]): Promise<readonly FiredAlert[]> {
  return db.any(sql.type(alertRow)`
    select alert.id, alert.account_id, account.email, account.tier, account.monthly_rows, account.on_demand, account.spend_cap_cents,
      alert.status, alert.begun_at is not null as begun, alert.event_id, alert.kind, alert.tracker_id, alert.tracker_name, alert.monitor_id,
      alert.monitor_name, alert.entity_id, alert.entity_name, alert.entity_type, alert.mention_id, alert.mention_count, alert.start_seconds,
      alert.end_seconds, alert.quote, alert.sentiment_score, alert.confidence, alert.appearance_role, alert.rows_billed, alert.fired_at,
      alert.retracted_at, ${mediaColumns},
      case when tracker.id is not null then jsonb_build_object('notify_email', tracker.notify_email, 'notify_chat', tracker.notify_chat,
        'chat_integration_id', tracker.chat_integration_id, 'chat_channel_id', tracker.chat_channel_id, 'notify_webhook', tracker.notify_webhook,
        'webhook_url', tracker.webhook_url, 'is_paused', tracker.paused_at is not null) end as tracker,
      case when monitor.id is not null then ${monitorJson} end as monitor
    from alert_occurrence as alert
      join account on account.id = alert.account_id
      join video on video.id = alert.video_id
      join channel on channel.id = video.channel_id
      left join tracker on tracker.id = alert.tracker_id
      left join monitor on monitor.id = alert.monitor_id
    where alert.id = any(${sql.array([...alertIds], "text")})`);
}

const testedRow = z
  .object({ id: z.string(), name: z.string(), settings: monitorDelivery })
  .transform((row) => ({ monitorId: row.id, name: row.name, settings: row.settings }));
/** A monitor whose webhook is tried out. */
export type TestedMonitor = z.output<typeof testedRow>;

/** Null where the monitor is gone. */
export async function readTestedMonitor(db: Queryable, monitorId: string): Promise<TestedMonitor | null> {
  return db.maybeOne(sql.type(testedRow)`
    select id, name, ${monitorJson} as settings from monitor where id = ${monitorId}`);
}

export interface NewDelivery {
  deliveryId: string;
  channel: DeliveryChannel;
}

/** What an alert is to cost its account, and what is to be delivered. */
export interface AlertPurchase {
  alertId: string;
  accountId: string;
  rows: number;
  period: string;
  allowance: RowAllowance;
  now: Date;
  deliveries: readonly NewDelivery[];
}

/** `begun`: paid for just now. `known`: paid for before. `suppressed`: the account cannot pay. Null: there is no such occurrence. */
export type PaymentOutcome = "begun" | "known" | "suppressed" | null;

const paymentRow = z.object({ outcome: z.enum(["begun", "known", "suppressed"]).nullable() });

/**
 * Pays for alerts and writes down what is to be delivered, in one statement; each is paid for once, however often it is told. The outcomes
 * are in the order of the purchases. Those of an account are paid for in the order of their ids, as far as its rows go.
 */
export async function beginAlerts(
  db: Queryable,
  purchases: readonly AlertPurchase[],
): Promise<readonly PaymentOutcome[]> {
  const told = purchases.map((purchase, place) => ({
    place,
    alert_id: purchase.alertId,
    account_id: purchase.accountId,
    price: purchase.rows,
    period: purchase.period,
    pool_rows: purchase.allowance.poolRows,
    on_demand_limit_rows: purchase.allowance.onDemandLimitRows,
    now_is: purchase.now,
    deliveries: purchase.deliveries.map(({ deliveryId, channel }) => ({ id: deliveryId, channel })),
  }));
  const rows = await db.any(sql.type(paymentRow)`
    with told as (
      select * from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as told (place integer, alert_id text, account_id text, price int8,
        period date, pool_rows int8, on_demand_limit_rows int8, now_is timestamptz, deliveries jsonb)
    ), begun as materialized (
      -- in one order everywhere, so that statements that pay for several never wait for each other in a circle
      select told.*, begin_alert(alert_id, jsonb_array_length(deliveries), price, period, pool_rows, on_demand_limit_rows, now_is) as outcome
      from (select * from told order by account_id, alert_id) as told
    ), added as (
      insert into alert_delivery (id, account_id, occurrence_id, monitor_id, channel, purpose, event_id, created_at)
      select delivery.id, alert.account_id, alert.id, alert.monitor_id, delivery.channel, 'alert', alert.event_id, begun.now_is
      from begun join alert_occurrence as alert on alert.id = begun.alert_id,
        jsonb_to_recordset(begun.deliveries) as delivery (id text, channel text)
      where begun.outcome = 'begun'
    )
    select outcome from begun order by place`);
  return rows.map(({ outcome }) => outcome);
}

/** Leaves an alert undelivered and unpaid; what would have gone out is written down as skipped. False where it has begun, or was silenced before. */
export async function silenceAlert(
  db: Queryable,
  alertId: string,
  silence: { reason: SkipReason; now: Date },
  deliveries: readonly NewDelivery[],
): Promise<boolean> {
  const { rowCount } = await db.query(sql.typeAlias("void")`
    with silenced as (
      update alert_occurrence set status = 'suppressed' where id = ${alertId} and status = 'pending' and begun_at is null
      returning id, account_id, monitor_id, event_id
    ), skipped as (
      insert into alert_delivery (id, account_id, occurrence_id, monitor_id, channel, purpose, event_id, created_at, status, reason)
      select told.id, silenced.account_id, silenced.id, silenced.monitor_id, told.channel, 'alert', silenced.event_id,
        ${silence.now.toISOString()}::timestamptz, 'skipped', ${silence.reason}
      from silenced, ${unnested(deliveries)}
    )
    select from silenced`);
  return rowCount > 0;
}

function unnested(deliveries: readonly NewDelivery[]) {
  const rows = deliveries.map(({ deliveryId, channel }) => [deliveryId, channel]);
  return sql.fragment`${sql.unnest(rows, ["text", "text"])} as told (id, channel)`;
}

const deliveryRow = z
  .object({
    id: z.string(),
    account_id: z.string(),
    occurrence_id: z.string().nullable(),
    monitor_id: z.string().nullable(),
    channel: z.enum(deliveryChannels),
    purpose: z.enum(deliveryPurposes),
    event_id: z.string(),
    status: z.enum(deliveryStatuses),
    reason: z.string().nullable(),
    attempts: z.number(),
    next_attempt_at: timestamp.nullable(),
    taken_by: z.array(z.string()),
    created_at: timestamp,
  })
  .transform((row) => ({
    deliveryId: row.id,
    accountId: row.account_id,
    alertId: row.occurrence_id,
    monitorId: row.monitor_id,
    channel: row.channel,
    purpose: row.purpose,
    eventId: row.event_id,
    status: row.status,
    reason: row.reason,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    takenBy: row.taken_by,
    createdAt: row.created_at,
  }));
/** Something to deliver on one channel, and how far that has come. */
export type Delivery = z.output<typeof deliveryRow>;

const deliveryColumns = sql.fragment`id, account_id, occurrence_id, monitor_id, channel, purpose, event_id, status, reason, attempts,
  next_attempt_at, taken_by, created_at`;

/** Null where there is no such delivery. */
export async function readDelivery(db: Queryable, deliveryId: string): Promise<Delivery | null> {
  return db.maybeOne(sql.type(deliveryRow)`select ${deliveryColumns} from alert_delivery where id = ${deliveryId}`);
}

/** The deliveries that an alert itself began with, in the order in which they were written. */
export async function listFirstDeliveries(db: Queryable, alertId: string): Promise<readonly Delivery[]> {
  return db.any(sql.type(deliveryRow)`
    select ${deliveryColumns} from alert_delivery where occurrence_id = ${alertId} and purpose = 'alert' order by id`);
}

/** Those of them that there are, in the order in which they were written. */
export async function listDeliveriesById(db: Queryable, deliveryIds: readonly string[]): Promise<readonly Delivery[]> {
  return db.any(sql.type(deliveryRow)`
    select ${deliveryColumns} from alert_delivery where id = any(${sql.array([...deliveryIds], "text")}) order by id`);
}
