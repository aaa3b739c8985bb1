import type { Monitor } from "../../database/monitors.ts";
import type { Transaction } from "../../database/pool.ts";
import {
  type FiredAlert,
  hasWebhook,
  insertDeliveries,
  listRedeliverable,
  readRedeliverable,
} from "../../database/redeliveries.ts";
import type { AlertStatus } from "../../domain/alerts.ts";
import { ApiError } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { readMonitor } from "../monitors/read.ts";
import type { RequestedDelivery } from "./testWebhook.ts";

/** Alerts taken in one go: what bounds the memory of a long range. */
const batchSize = 1000;
const dayMilliseconds = 86_400_000;

/**
 * Has one alert sent to its webhook again, under the event id that it always had. Costs nothing. Throws `monitor_not_found`,
 * `alert_not_found`, `webhook_not_configured` where nothing would be sent, and `illegal_transition` for an alert that was never paid for or
 * that a reviewer took back.
 */
export async function redeliverAlert(
  { clock }: ServiceContext,
  transaction: Transaction,
  { accountId }: Pick<Caller, "accountId">,
  monitorId: string,
  alertId: string,
): Promise<RequestedDelivery> {
  const monitor = await readMonitor(transaction, accountId, monitorId);
  const alert = await readRedeliverable(transaction, monitorId, alertId);
  if (alert === null) throw new ApiError("alert_not_found");
  if (!alert.isPaid) throw new ApiError("illegal_transition", unpaid(alert.status));
  if (alert.isRetracted)
    throw new ApiError("illegal_transition", "A reviewer took this alert back, so it is not sent again.");
  requireUse(monitor, alert.isOn);
  const delivery = { deliveryId: newId("delivery"), alertId, eventId: alert.eventId };
  const requestedAt = clock();
  await insertDeliveries(transaction, { accountId, monitorId, purpose: "redelivery", at: requestedAt }, [delivery], 0);
  return { ...delivery, requestedAt };
}

/**
 * Has all alerts of a monitor that fired in a span, both ends included, sent to their webhooks again, oldest first; returns how many. They go
 * out behind whatever somebody waits for. Left out are those that were never paid for, those that a reviewer took back, those whose webhook is
 * off or disabled, and those that an earlier call has on its way and that were not tried yet. Throws `monitor_not_found`, `webhook_not_configured`, and `invalid_body` for a
 * span that ends before it begins or is longer than the site allows.
 */
export async function redeliverSpan(
  { settings, clock }: ServiceContext,
  transaction: Transaction,
  { accountId }: Pick<Caller, "accountId">,
  monitorId: string,
  span: { from: Date; to: Date },
): Promise<number> {
  const { redeliverMaxDays } = settings.alerts;
  if (span.from > span.to) throw new ApiError("invalid_body", "The body field `from` must not be later than `to`.");
  if (span.to.getTime() - span.from.getTime() > redeliverMaxDays * dayMilliseconds)
    throw new ApiError("invalid_body", `From \`from\` to \`to\` may be ${redeliverMaxDays} days at most.`);
  const monitor = await readMonitor(transaction, accountId, monitorId);
  requireUse(monitor, await hasWebhook(transaction, monitorId));
  const of = { accountId, monitorId, purpose: "redelivery", at: clock() } as const;
  let taken = 0;
  let after: FiredAlert | null = null;
  for (;;) {
    const alerts: readonly FiredAlert[] = await listRedeliverable(transaction, {
      monitorId,
      ...span,
      after,
      limit: batchSize,
    });
    const deliveries = alerts.map(({ alertId, eventId }) => ({ deliveryId: newId("delivery"), alertId, eventId }));
    if (deliveries.length > 0) await insertDeliveries(transaction, of, deliveries, 1);
    taken += deliveries.length;
    after = alerts.at(-1) ?? null;
    if (alerts.length < batchSize) return taken;
  }
}

function requireUse({ webhookDisabledAt }: Monitor, isOn: boolean): void {
  if (isOn) return;
  if (webhookDisabledAt === null) throw new ApiError("webhook_not_configured");
  throw new ApiError(
    "webhook_not_configured",
    "The monitor's webhook was disabled after failures; PATCH the monitor with `notifyWebhook: true` first.",
  );
}

function unpaid(status: AlertStatus): string {
  return status === "suppressed"
    ? "This alert was never paid for, so it is not delivered."
    : "This alert is about to be delivered for the first time; read it again in a moment.";
}
