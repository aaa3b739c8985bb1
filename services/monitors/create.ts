import { insertMonitor, type Monitor, type MonitorSettings } from "../../database/monitors.ts";
import type { Transaction } from "../../database/pool.ts";
import { newId } from "../../domain/ids.ts";
import { requireChat } from "../chat/requireChat.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { enableSigning } from "./enableSigning.ts";
import { readMonitor } from "./read.ts";
import { requireWebhook } from "./requireTarget.ts";

export type CreateMonitorInput = Omit<MonitorSettings, "pausedAt"> & { isPaused: boolean };

/** A monitor after a write; `webhookSecret` is the secret of its webhooks where the write has made one, shown this once. */
export interface WrittenMonitor {
  monitor: Monitor;
  webhookSecret: string | null;
}

/** Creates a monitor without trackers. Throws `invalid_body` for delivery that lacks what it needs, or leads where nothing may be sent. */
export async function createMonitor(
  context: ServiceContext,
  transaction: Transaction,
  { accountId }: Caller,
  input: CreateMonitorInput,
): Promise<WrittenMonitor> {
  const now = context.clock();
  const settings: MonitorSettings = { ...input, pausedAt: input.isPaused ? now : null };
  requireWebhook(context.outbound, settings);
  await requireChat(transaction, accountId, settings);
  const monitorId = newId("monitor");
  await insertMonitor(transaction, { ...settings, monitorId, accountId }, now);
  const webhookSecret = settings.notifyWebhook ? await enableSigning(context, transaction, monitorId) : null;
  return { monitor: await readMonitor(transaction, accountId, monitorId), webhookSecret };
}
