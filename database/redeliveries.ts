import { z } from "zod";
import { alertStatuses, type DeliveryPurpose, deliveryPurposes } from "../domain/alerts.ts";
import { deliveryChannels } from "../domain/deliveryChoice.ts";
import type { OutboxPriority } from "./outbox.ts";
import { count, type Queryable, sql, timestamp } from "./pool.ts";

/** A delivery beside an alert's own: of a test event, or of an alert once more. */
export interface NewDelivery {
  deliveryId: string;
  /** Null for a test. */
  alertId: string | null;
  eventId: string;
}

/** Writes deliveries by webhook, each with the message that starts it, in the caller's transaction. */
export async function insertDeliveries(
  db: Queryable,
  of: { accountId: string; monitorId: string; purpose: Exclude<DeliveryPurpose, "alert">; at: Date },
  deliveries: readonly NewDelivery[],
  priority: OutboxPriority,
): Promise<void> {
  const rows = deliveries.map(({ deliveryId, alertId, eventId }) => [deliveryId, alertId, eventId]);
  await db.query(sql.typeAlias("void")`
    with added as (
      insert into alert_delivery (id, account_id, occurrence_id, monitor_id, channel, purpose, event_id, created_at)
      select told.id, ${of.accountId}, told.occurrence_id, ${of.monitorId}, 'webhook', ${of.purpose}, told.event_id, ${of.at.toISOString()}
      from ${sql.unnest(rows, ["text", "text", "text"])} as told (id, occurrence_id, event_id)
      returning id
    )
    insert into outbox (kind, subject, priority) select 'delivery.start', id, ${priority} from added order by id`);
}

const firedRow = z
  .object({ id: z.string(), event_id: z.string(), fired_at: timestamp })
  .transform((row) => ({ alertId: row.id, eventId: row.event_id, firedAt: row.fired_at }));
export type FiredAlert = z.output<typeof firedRow>;

/** Only what was paid for goes out again. */
const isPaid = sql.fragment`alert.begun_at is not null`;

/** What a reviewer took back does not. */
const isRetracted = sql.fragment`alert.retracted_at is not null`;

/** What a tracker says of its own wins (domain/deliveryChoice.ts), and only the monitor's own address is ever disabled (domain/delivery/due.ts). */
const isOn = sql.fragment`(coalesce(tracker.notify_webhook, monitor.notify_webhook)
  and (tracker.webhook_url is not null or monitor.webhook_url is not null and monitor.webhook_disabled_at is null)
  and exists (select from monitor_webhook_secret as secret where secret.monitor_id = monitor.id))`;

/**
 * A monitor's alerts that can be delivered again and fired in a span, both ends included, oldest first, after a position. Those that are on
 * their way again already, not tried yet, are left out.
 */
export async function listRedeliverable(
  db: Queryable,
  asked: { monitorId: string; from: Date; to: Date; after: FiredAlert | null; limit: number },
): Promise<readonly FiredAlert[]> {
  const { monitorId, from, to, after, limit } = asked;
  const behind =
    after === null
      ? sql.fragment``
      : sql.fragment`and (alert.fired_at, alert.id) > (${after.firedAt.toISOString()}::timestamptz, ${after.alertId})`;
  return db.any(sql.type(firedRow)`
    select alert.id, alert.event_id, alert.fired_at
    from alert_occurrence as alert
      join monitor on monitor.id = alert.monitor_id
      left join tracker on tracker.id = alert.tracker_id
    where alert.monitor_id = ${monitorId} and alert.fired_at between ${from.toISOString()}::timestamptz and ${to.toISOString()}::timestamptz ${behind}
      and ${isPaid} and not ${isRetracted} and ${isOn}
      and not exists (
        select from alert_delivery as again
        where again.occurrence_id = alert.id and again.purpose = 'redelivery' and again.status = 'pending' and again.attempts = 0)
    order by alert.fired_at, alert.id limit ${limit}`);
}

const singleRow = z
  .object({
    event_id: z.string(),
    status: z.enum(alertStatuses),
    is_paid: z.boolean(),
    is_retracted: z.boolean(),
    is_on: z.boolean(),
  })
  .transform((row) => ({
    eventId: row.event_id,
    status: row.status,
    isPaid: row.is_paid,
    isRetracted: row.is_retracted,
    isOn: row.is_on,
  }));

/** A monitor's alert, whether it was paid for and stands, and whether its tracker's webhook is on; null where there is no such alert. */
export async function readRedeliverable(
  db: Queryable,
  monitorId: string,
  alertId: string,
): Promise<z.output<typeof singleRow> | null> {
  return db.maybeOne(sql.type(singleRow)`
    select alert.event_id, alert.status, ${isPaid} as is_paid, ${isRetracted} as is_retracted, ${isOn} as is_on
    from alert_occurrence as alert
      join monitor on monitor.id = alert.monitor_id
      left join tracker on tracker.id = alert.tracker_id
    where alert.monitor_id = ${monitorId} and alert.id = ${alertId}`);
}

/** Whether a webhook is on for the monitor itself or for one of its trackers. */
export async function hasWebhook(db: Queryable, monitorId: string): Promise<boolean> {
  return db.exists(sql.typeAlias("void")`
    select from monitor left join tracker on tracker.monitor_id = monitor.id where monitor.id = ${monitorId} and ${isOn}`);
}

const startRow = z
  .object({
    account_id: z.string(),
    monitor_id: z.string().nullable(),
    channel: z.enum(deliveryChannels),
    purpose: z.enum(deliveryPurposes),
    alert_id: z.string().nullable(),
    video_id: z.string().nullable(),
    entity_id: count.nullable(),
  })
  .transform((row) => ({
    accountId: row.account_id,
    monitorId: row.monitor_id,
    channel: row.channel,
    purpose: row.purpose,
    alertId: row.alert_id,
    videoId: row.video_id,
    /** Canonical when the alert fired. */
    entityId: row.entity_id,
  }));

/** What a delivery that starts is told of to operators. */
export type DeliveryStart = z.output<typeof startRow>;

/** Null where there is no such delivery. */
export async function readDeliveryStart(db: Queryable, deliveryId: string): Promise<DeliveryStart | null> {
  return db.maybeOne(sql.type(startRow)`
    select delivery.account_id, delivery.monitor_id, delivery.channel, delivery.purpose, alert.id as alert_id, alert.video_id,
      alert.entity_id
    from alert_delivery as delivery left join alert_occurrence as alert on alert.id = delivery.occurrence_id
    where delivery.id = ${deliveryId}`);
}
