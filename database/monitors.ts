import { z } from "zod";
import type { MonitorDelivery } from "../domain/deliveryChoice.ts";
import { type Queryable, sql, timestamp, type Transaction } from "./pool.ts";

const monitorRow = z
  .object({
    id: z.string(),
    account_id: z.string(),
    name: z.string(),
    paused_at: timestamp.nullable(),
    notify_email: z.boolean(),
    email_addresses: z.array(z.string()),
    notify_chat: z.boolean(),
    chat_integration_id: z.string().nullable(),
    chat_channel_id: z.string().nullable(),
    notify_webhook: z.boolean(),
    webhook_url: z.string().nullable(),
    webhook_enabled_at: timestamp.nullable(),
    webhook_failure_count: z.number(),
    webhook_disabled_at: timestamp.nullable(),
    webhook_disabled_reason: z.string().nullable(),
    last_notified_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    secret_hint: z.string().nullable(),
    previous_expires_at: timestamp.nullable(),
    tracker_ids: z.array(z.string()),
  })
  .transform((row) => ({
    monitorId: row.id,
    accountId: row.account_id,
    name: row.name,
    pausedAt: row.paused_at,
    notifyEmail: row.notify_email,
    emailAddresses: row.email_addresses,
    notifyChat: row.notify_chat,
    chatIntegrationId: row.chat_integration_id,
    chatChannelId: row.chat_channel_id,
    notifyWebhook: row.notify_webhook,
    webhookUrl: row.webhook_url,
    webhookEnabledAt: row.webhook_enabled_at,
    webhookFailureCount: row.webhook_failure_count,
    webhookDisabledAt: row.webhook_disabled_at,
    webhookDisabledReason: row.webhook_disabled_reason,
    lastNotifiedAt: row.last_notified_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    webhookSecretSet: row.secret_hint !== null,
    webhookSecretHint: row.secret_hint,
    /** As stored: it may have passed without being erased yet. */
    previousSecretExpiresAt: row.previous_expires_at,
    trackerIds: row.tracker_ids,
  }));
export type Monitor = z.output<typeof monitorRow>;

/** What its owner sets. */
export type MonitorSettings = Pick<Monitor, "name" | "pausedAt"> & Omit<MonitorDelivery, "webhookSecretSet">;

const selected = sql.fragment`
  select monitor.id, account_id, name, paused_at, notify_email, email_addresses, notify_chat, chat_integration_id, chat_channel_id,
    notify_webhook, webhook_url, webhook_enabled_at, webhook_failure_count, webhook_disabled_at, webhook_disabled_reason, last_notified_at,
    monitor.created_at, updated_at, secret.hint as secret_hint, secret.previous_expires_at,
    array(select tracker.id from tracker where tracker.monitor_id = monitor.id order by tracker.id) as tracker_ids
  from monitor left join monitor_webhook_secret as secret on secret.monitor_id = monitor.id`;

export async function insertMonitor(
  db: Queryable,
  monitor: MonitorSettings & { monitorId: string; accountId: string },
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  await db.query(sql.typeAlias("void")`
    insert into monitor (id, account_id, name, paused_at, notify_email, email_addresses, notify_chat, chat_integration_id, chat_channel_id,
      notify_webhook, webhook_url, webhook_enabled_at, created_at, updated_at)
    values (${monitor.monitorId}, ${monitor.accountId}, ${monitor.name}, ${monitor.pausedAt?.toISOString() ?? null}, ${monitor.notifyEmail},
      ${sql.array([...monitor.emailAddresses], "text")}, ${monitor.notifyChat}, ${monitor.chatIntegrationId}, ${monitor.chatChannelId},
      ${monitor.notifyWebhook}, ${monitor.webhookUrl}, ${monitor.notifyWebhook ? at : null}, ${at}, ${at})`);
}

/** Writes what its owner sets. */
export async function updateMonitor(
  db: Queryable,
  monitorId: string,
  settings: MonitorSettings,
  now: Date,
): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update monitor set name = ${settings.name}, paused_at = ${settings.pausedAt?.toISOString() ?? null}, notify_email = ${settings.notifyEmail},
      email_addresses = ${sql.array([...settings.emailAddresses], "text")}, notify_chat = ${settings.notifyChat},
      chat_integration_id = ${settings.chatIntegrationId}, chat_channel_id = ${settings.chatChannelId},
      notify_webhook = ${settings.notifyWebhook}, webhook_url = ${settings.webhookUrl}, updated_at = ${now.toISOString()}
    where id = ${monitorId}`);
}

/** Turns its webhook on again: no failure of an attempt begun before `now` counts any more. */
export async function enableWebhook(db: Queryable, monitorId: string, now: Date): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update monitor set webhook_enabled_at = ${now.toISOString()}, webhook_failure_count = 0, webhook_failing_since = null,
      webhook_disabled_at = null, webhook_disabled_reason = null, updated_at = ${now.toISOString()}
    where id = ${monitorId}`);
}

/** Its trackers stay, without a monitor; its secrets go. False where there is none. */
export async function deleteMonitor(db: Queryable, accountId: string, monitorId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql.typeAlias("void")`
    delete from monitor where id = ${monitorId} and account_id = ${accountId}`);
  return rowCount > 0;
}

/** Lets one writer at a time change it, to the end of the transaction. False where there is none. */
export async function lockMonitor(transaction: Transaction, accountId: string, monitorId: string): Promise<boolean> {
  const { rowCount } = await transaction.query(sql.typeAlias("void")`
    select from monitor where id = ${monitorId} and account_id = ${accountId} for no key update`);
  return rowCount > 0;
}

export async function readMonitor(db: Queryable, accountId: string, monitorId: string): Promise<Monitor | null> {
  return db.maybeOne(sql.type(monitorRow)`
    ${selected} where monitor.id = ${monitorId} and account_id = ${accountId}`);
}

/** An account's, newest first; `beforeId` starts behind that one. */
export async function listMonitors(
  db: Queryable,
  accountId: string,
  page: { limit: number; beforeId: string | null },
): Promise<readonly Monitor[]> {
  const before = page.beforeId === null ? sql.fragment`` : sql.fragment`and monitor.id < ${page.beforeId}`;
  return db.any(sql.type(monitorRow)`
    ${selected} where account_id = ${accountId} ${before} order by monitor.id desc limit ${page.limit}`);
}
