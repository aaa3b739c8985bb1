import { isDeepStrictEqual } from "node:util";
import {
  enableWebhook,
  lockMonitor,
  type MonitorSettings,
  updateMonitor as writeMonitor,
} from "../../database/monitors.ts";
import type { Transaction } from "../../database/pool.ts";
import { requireChat } from "../chat/requireChat.ts";
import type { Caller, ServiceContext } from "../context.ts";
import type { CreateMonitorInput, WrittenMonitor } from "./create.ts";
import { enableSigning } from "./enableSigning.ts";
import { readMonitor } from "./read.ts";
import { requireWebhook } from "./requireTarget.ts";

export type MonitorChange = { [field in keyof CreateMonitorInput]?: CreateMonitorInput[field] | undefined };

/**
 * Changes the fields that are set; what is as it should be stays untouched. `notifyWebhook: true`, said in so many words, also turns a
 * disabled webhook on again and clears its failures. Throws `monitor_not_found`, or `invalid_body` as creation does.
 */
export async function updateMonitor(
  context: ServiceContext,
  transaction: Transaction,
  { accountId }: Caller,
  monitorId: string,
  change: MonitorChange,
): Promise<WrittenMonitor> {
  const now = context.clock();
  await lockMonitor(transaction, accountId, monitorId);
  const before = await readMonitor(transaction, accountId, monitorId);
  const old: MonitorSettings = {
    name: before.name,
    pausedAt: before.pausedAt,
    notifyEmail: before.notifyEmail,
    emailAddresses: before.emailAddresses,
    notifyChat: before.notifyChat,
    chatIntegrationId: before.chatIntegrationId,
    chatChannelId: before.chatChannelId,
    notifyWebhook: before.notifyWebhook,
    webhookUrl: before.webhookUrl,
  };
  const settings = changed(old, change, now);
  // Only what is asked for is judged: an integration that was disconnected since is no reason to refuse a new name.
  if (change.notifyWebhook !== undefined || change.webhookUrl !== undefined) requireWebhook(context.outbound, settings);
  if ([change.notifyChat, change.chatIntegrationId, change.chatChannelId].some((field) => field !== undefined))
    await requireChat(transaction, accountId, settings);
  if (!isDeepStrictEqual(old, settings)) await writeMonitor(transaction, monitorId, settings, now);
  const isWebhookAsked = change.notifyWebhook === true;
  if (isWebhookAsked && (!before.notifyWebhook || before.webhookDisabledAt !== null || before.webhookFailureCount > 0))
    await enableWebhook(transaction, monitorId, now);
  const webhookSecret =
    isWebhookAsked && !before.webhookSecretSet ? await enableSigning(context, transaction, monitorId) : null;
  return { monitor: await readMonitor(transaction, accountId, monitorId), webhookSecret };
}

function changed(old: MonitorSettings, change: MonitorChange, now: Date): MonitorSettings {
  const { isPaused, ...fields } = change;
  return {
    name: fields.name ?? old.name,
    pausedAt: isPaused === undefined ? old.pausedAt : isPaused ? (old.pausedAt ?? now) : null,
    notifyEmail: fields.notifyEmail ?? old.notifyEmail,
    emailAddresses: fields.emailAddresses ?? old.emailAddresses,
    notifyChat: fields.notifyChat ?? old.notifyChat,
    chatIntegrationId: fields.chatIntegrationId === undefined ? old.chatIntegrationId : fields.chatIntegrationId,
    chatChannelId: fields.chatChannelId === undefined ? old.chatChannelId : fields.chatChannelId,
    notifyWebhook: fields.notifyWebhook ?? old.notifyWebhook,
    webhookUrl: fields.webhookUrl === undefined ? old.webhookUrl : fields.webhookUrl,
  };
}
