import { type FiredAlert, readTestedMonitor } from "../../database/alertDeliveries.ts";
import type { AttemptRecord } from "../../database/deliveryAttempts.ts";
import { isDatabaseUnavailable } from "../../database/pool.ts";
import type { AttemptReport } from "../../domain/delivery/attemptReport.ts";
import { choiceNow, isMonitorsWebhook, skipReasonOf } from "../../domain/delivery/due.ts";
import { mailReceivers } from "../../domain/delivery/mailReceivers.ts";
import { testEventBody } from "../../domain/delivery/webhookEvent.ts";
import type { ServiceContext } from "../context.ts";
import { attemptRecord, type DueDelivery, type Tried } from "./attemptRecord.ts";
import { webhookBody } from "./compose.ts";
import type { DeliveryParts } from "./parts.ts";
import { ReceiverBusy } from "./receiverTurns.ts";
import { sendChat } from "./sendChat.ts";
import { sendEmail } from "./sendEmail.ts";
import { sendWebhook } from "./sendWebhook.ts";

/** One attempt and what it means; nothing of it is written down yet. */
export interface MadeAttempt {
  kind: "made";
  record: AttemptRecord;
  /** Null where nothing was sent. */
  report: AttemptReport | null;
}

/** An attempt that was not begun, because its receiver has too many under way. */
export interface PostponedAttempt {
  kind: "postponed";
  delivery: DueDelivery;
  waitSeconds: number;
}

/**
 * Makes the next attempt of a delivery, by the settings that `alert` was read with; `alert` is null for a test. Whatever goes wrong with one
 * channel is that attempt's failure and no other's; throws only when the database is away.
 */
export async function makeAttempt(
  context: ServiceContext,
  parts: DeliveryParts,
  delivery: DueDelivery,
  alert: FiredAlert | null,
): Promise<MadeAttempt | PostponedAttempt> {
  const at = context.clock();
  const begin = performance.now();
  const tried = await tryOnce(context, parts, delivery, alert);
  if ("busySeconds" in tried) return { kind: "postponed", delivery, waitSeconds: tried.busySeconds };
  const latencyMilliseconds = Math.round(performance.now() - begin);
  const record = attemptRecord(context.settings.alerts, {
    delivery,
    alertId: alert?.alertId ?? null,
    trackerId: alert?.trackerId ?? null,
    judges: delivery.channel === "webhook" && alert !== null && isMonitorsWebhook(alert) ? "webhook" : "nothing",
    tried,
    at,
    endedAt: context.clock(),
    latencyMilliseconds,
    random: parts.random(),
  });
  return { kind: "made", record, report: "report" in tried ? tried.report : null };
}

async function tryOnce(
  context: ServiceContext,
  parts: DeliveryParts,
  delivery: DueDelivery,
  alert: FiredAlert | null,
): Promise<Tried | { busySeconds: number }> {
  try {
    return alert === null ? await tryTest(context, parts, delivery) : await tryAlert(context, parts, delivery, alert);
  } catch (error) {
    if (error instanceof ReceiverBusy) return { busySeconds: error.waitSeconds };
    if (isDatabaseUnavailable(error)) throw error;
    parts.onDefect(error);
    const outcome = { kind: "failed", retryAfterSeconds: null } as const;
    return { report: { outcome, responseStatus: null, responseExcerpt: null, error: "internal" } };
  }
}

async function tryAlert(
  context: ServiceContext,
  parts: DeliveryParts,
  { channel, purpose, takenBy }: DueDelivery,
  alert: FiredAlert,
): Promise<Tried> {
  if (!alert.begun || alert.status === "suppressed") return { skipped: "not_paid" };
  const reason = skipReasonOf(alert, channel, purpose);
  if (reason !== null) return { skipped: reason };
  const choice = choiceNow(alert);
  switch (channel) {
    case "email": {
      const addresses = mailReceivers(choice, alert.accountEmail);
      const send = () => sendEmail(context, parts, alert, { addresses, takenBy });
      const { takenBy: served, ...report } = await parts.turns.take("mail", send);
      return { report, takenBy: served };
    }
    case "chat": {
      const report = await sendChat(context, parts, alert, choice);
      return report === null ? { skipped: "chat_disconnected" } : { report };
    }
    case "webhook": {
      const { monitorId, eventId } = alert;
      const { webhookUrl: url } = choice;
      if (monitorId === null || url === null) return { skipped: "channel_off" };
      const body = webhookBody(alert, context.settings);
      const report = await sendWebhook(context, parts, { monitorId, eventId, url, body });
      return report === null ? { skipped: "channel_off" } : { report };
    }
  }
}

/** A test goes to a disabled webhook too: it is how its owner sees that it works again. */
async function tryTest(
  context: ServiceContext,
  parts: DeliveryParts,
  { monitorId, eventId, createdAt }: DueDelivery,
): Promise<Tried> {
  const monitor = monitorId === null ? null : await readTestedMonitor(context.pool, monitorId);
  if (monitor === null) return { skipped: "monitor_deleted" };
  const url = monitor.settings.webhookUrl;
  if (url === null) return { skipped: "channel_off" };
  const body = testEventBody({ eventId, at: createdAt, monitor: { id: monitor.monitorId, name: monitor.name } });
  const report = await sendWebhook(context, parts, { monitorId: monitor.monitorId, eventId, url, body });
  return report === null ? { skipped: "channel_off" } : { report };
}
