import { z } from "zod";
import type { TrackerDelivery } from "../domain/deliveryChoice.ts";
import { entityTypes } from "../domain/entities.ts";
import { count, type Queryable, sql, timestamp, type Transaction } from "./pool.ts";

const monitorDelivery = z
  .object({
    monitor_notify_email: z.boolean(),
    monitor_email_addresses: z.array(z.string()),
    monitor_notify_chat: z.boolean(),
    monitor_chat_integration_id: z.string().nullable(),
    monitor_chat_channel_id: z.string().nullable(),
    monitor_notify_webhook: z.boolean(),
    monitor_webhook_url: z.string().nullable(),
    monitor_has_secret: z.boolean(),
  })
  .transform((row) => ({
    notifyEmail: row.monitor_notify_email,
    emailAddresses: row.monitor_email_addresses,
    notifyChat: row.monitor_notify_chat,
    chatIntegrationId: row.monitor_chat_integration_id,
    chatChannelId: row.monitor_chat_channel_id,
    notifyWebhook: row.monitor_notify_webhook,
    webhookUrl: row.monitor_webhook_url,
    webhookSecretSet: row.monitor_has_secret,
  }));

const trackerRow = z
  .looseObject({
    id: z.string(),
    account_id: z.string(),
    entity_id: count,
    entity_name: z.string(),
    entity_type: z.enum(entityTypes),
    monitor_id: z.string().nullable(),
    display_name: z.string().nullable(),
    notify_email: z.boolean().nullable(),
    notify_webhook: z.boolean().nullable(),
    notify_chat: z.boolean().nullable(),
    webhook_url: z.string().nullable(),
    chat_channel_id: z.string().nullable(),
    chat_integration_id: z.string().nullable(),
    filters: z.record(z.string(), z.unknown()),
    paused_at: timestamp.nullable(),
    last_notified_at: timestamp.nullable(),
    email_delivery_count: z.number(),
    webhook_delivery_count: z.number(),
    chat_delivery_count: z.number(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .transform((row) => ({
    trackerId: row.id,
    accountId: row.account_id,
    /** Of the canonical entity, as is what follows. */
    entityId: row.entity_id,
    entityName: row.entity_name,
    entityType: row.entity_type,
    monitorId: row.monitor_id,
    monitor: row.monitor_id === null ? null : monitorDelivery.parse(row),
    displayName: row.display_name,
    delivery: {
      notifyEmail: row.notify_email,
      notifyWebhook: row.notify_webhook,
      notifyChat: row.notify_chat,
      webhookUrl: row.webhook_url,
      chatChannelId: row.chat_channel_id,
      chatIntegrationId: row.chat_integration_id,
    } satisfies TrackerDelivery,
    filters: row.filters,
    pausedAt: row.paused_at,
    lastNotifiedAt: row.last_notified_at,
    emailDeliveryCount: row.email_delivery_count,
    webhookDeliveryCount: row.webhook_delivery_count,
    chatDeliveryCount: row.chat_delivery_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
/** A tracker with the entity it watches and what its monitor says about delivery. */
export type Tracker = z.output<typeof trackerRow>;

/** What its owner sets. */
export interface TrackerSettings {
  displayName: string | null;
  delivery: TrackerDelivery;
  /** As they were given. */
  filters: Readonly<Record<string, unknown>>;
  pausedAt: Date | null;
}

const selected = sql.fragment`
  select tracker.id, tracker.account_id, canonical.id as entity_id, canonical.name as entity_name, canonical.type as entity_type,
    tracker.monitor_id, tracker.display_name, tracker.notify_email, tracker.notify_webhook, tracker.notify_chat, tracker.webhook_url,
    tracker.chat_channel_id, tracker.chat_integration_id, tracker.filters, tracker.paused_at, tracker.last_notified_at,
    tracker.email_delivery_count, tracker.webhook_delivery_count, tracker.chat_delivery_count, tracker.created_at, tracker.updated_at,
    monitor.notify_email as monitor_notify_email, monitor.email_addresses as monitor_email_addresses,
    monitor.notify_chat as monitor_notify_chat, monitor.chat_integration_id as monitor_chat_integration_id,
    monitor.chat_channel_id as monitor_chat_channel_id, monitor.notify_webhook as monitor_notify_webhook,
    monitor.webhook_url as monitor_webhook_url,
    exists (select from monitor_webhook_secret as secret where secret.monitor_id = tracker.monitor_id) as monitor_has_secret
  from tracker
    join entity on entity.id = tracker.entity_id
    join entity as canonical on canonical.id = coalesce(entity.canonical_id, entity.id)
    left join monitor on monitor.id = tracker.monitor_id`;

/** Adds a tracker; false where the account has one on that very entity. */
export async function insertTracker(
  db: Queryable,
  tracker: TrackerSettings & { trackerId: string; accountId: string; entityId: number },
  now: Date,
): Promise<boolean> {
  const { delivery } = tracker;
  const at = now.toISOString();
  const { rowCount } = await db.query(sql.typeAlias("void")`
    insert into tracker (id, account_id, entity_id, display_name, notify_email, notify_webhook, notify_chat, webhook_url, chat_channel_id,
      chat_integration_id, filters, paused_at, created_at, updated_at)
    values (${tracker.trackerId}, ${tracker.accountId}, ${tracker.entityId}, ${tracker.displayName}, ${delivery.notifyEmail},
      ${delivery.notifyWebhook}, ${delivery.notifyChat}, ${delivery.webhookUrl}, ${delivery.chatChannelId}, ${delivery.chatIntegrationId},
      ${JSON.stringify(tracker.filters)}::jsonb, ${tracker.pausedAt?.toISOString() ?? null}, ${at}, ${at})
    on conflict on constraint tracker_once do nothing`);
  return rowCount > 0;
}

/** Writes what its owner sets. */
export async function updateTracker(
  db: Queryable,
  trackerId: string,
  settings: TrackerSettings,
  now: Date,
): Promise<void> {
  const { delivery } = settings;
  await db.query(sql.typeAlias("void")`
    update tracker set display_name = ${settings.displayName}, notify_email = ${delivery.notifyEmail}, notify_webhook = ${delivery.notifyWebhook},
      notify_chat = ${delivery.notifyChat}, webhook_url = ${delivery.webhookUrl}, chat_channel_id = ${delivery.chatChannelId},
      chat_integration_id = ${delivery.chatIntegrationId}, filters = ${JSON.stringify(settings.filters)}::jsonb,
      paused_at = ${settings.pausedAt?.toISOString() ?? null}, updated_at = ${now.toISOString()}
    where id = ${trackerId}`);
}

/** False where there is none. What it fired stays. */
export async function deleteTracker(db: Queryable, accountId: string, trackerId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql.typeAlias("void")`
    delete from tracker where id = ${trackerId} and account_id = ${accountId}`);
  return rowCount > 0;
}

/** Lets one writer at a time change it, to the end of the transaction. False where there is none. */
export async function lockTracker(transaction: Transaction, accountId: string, trackerId: string): Promise<boolean> {
  const { rowCount } = await transaction.query(sql.typeAlias("void")`
    select from tracker where id = ${trackerId} and account_id = ${accountId} for no key update`);
  return rowCount > 0;
}

export async function readTracker(db: Queryable, accountId: string, trackerId: string): Promise<Tracker | null> {
  return db.maybeOne(sql.type(trackerRow)`
    ${selected} where tracker.id = ${trackerId} and tracker.account_id = ${accountId}`);
}

/** The account's tracker on any of these entities, the oldest of several. */
export async function findTrackerId(
  db: Queryable,
  accountId: string,
  entityIds: readonly number[],
): Promise<string | null> {
  return db.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    select id from tracker where account_id = ${accountId} and entity_id = any(${sql.array([...entityIds], "int8")}) order by id limit 1`);
}

/** An account's, newest first; `beforeId` starts behind that one. */
export async function listTrackers(
  db: Queryable,
  accountId: string,
  page: { limit: number; beforeId: string | null },
): Promise<readonly Tracker[]> {
  const before = page.beforeId === null ? sql.fragment`` : sql.fragment`and tracker.id < ${page.beforeId}`;
  return db.any(sql.type(trackerRow)`
    ${selected} where tracker.account_id = ${accountId} ${before} order by tracker.id desc limit ${page.limit}`);
}

/** A monitor's, oldest first; `afterId` starts behind that one. */
export async function listTrackersOfMonitor(
  db: Queryable,
  monitorId: string,
  page: { limit: number; afterId: string | null },
): Promise<readonly Tracker[]> {
  return db.any(sql.type(trackerRow)`
    ${selected} where tracker.monitor_id = ${monitorId} and tracker.id > ${page.afterId ?? ""} order by tracker.id limit ${page.limit}`);
}

/** Which of these trackers are not the account's. */
export async function findForeignTrackerIds(
  db: Queryable,
  accountId: string,
  trackerIds: readonly string[],
): Promise<readonly string[]> {
  return db.anyFirst(sql.type(z.object({ id: z.string() }))`
    select asked.id from unnest(${sql.array([...trackerIds], "text")}) as asked (id)
    where not exists (select from tracker where tracker.id = asked.id and account_id = ${accountId})`);
}

/** Puts trackers under a monitor, or under none. */
export async function setMonitorOfTrackers(
  db: Queryable,
  trackerIds: readonly string[],
  monitorId: string | null,
  now: Date,
): Promise<void> {
  // locked in one order, so that two of these never wait for each other in a circle
  await db.query(sql.typeAlias("void")`
    with chosen as materialized (
      select id from tracker where id = any(${sql.array([...trackerIds], "text")}) order by id for no key update
    )
    update tracker set monitor_id = ${monitorId}, updated_at = ${now.toISOString()}
    from chosen where tracker.id = chosen.id and tracker.monitor_id is distinct from ${monitorId}`);
}
