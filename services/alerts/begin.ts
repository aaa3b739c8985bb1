import {
  beginAlert as pay,
  type Delivery,
  type FiredAlert,
  listFirstDeliveries,
  readFiredAlert,
  silenceAlert,
} from "../../database/alertDeliveries.ts";
import { channelsOn, choiceNow, silenceOf } from "../../domain/delivery/due.ts";
import type { AlertBegin } from "../../domain/delivery/progress.ts";
import { newId } from "../../domain/ids.ts";
import { rowAllowance, usagePeriod } from "../../domain/rowPool.ts";
import type { ServiceContext } from "../context.ts";
import { makeAttempt } from "./makeAttempt.ts";
import type { DeliveryParts } from "./parts.ts";
import { progressOf, recordAttempts } from "./recordAttempts.ts";

/**
 * Pays for an alert, once however often this is called, and makes the first attempt on each channel that is switched on, side by side. An
 * alert that the account cannot pay for, or whose tracker or monitor is paused or gone by now, is suppressed: not delivered, not billed.
 */
export async function beginAlert(context: ServiceContext, parts: DeliveryParts, alertId: string): Promise<AlertBegin> {
  const fired = await readFiredAlert(context.pool, alertId);
  if (fired === null) return { kind: "unknown" };
  const started = fired.begun ? await readStarted(context, alertId) : await start(context, fired);
  if (started === null) return { kind: "suppressed" };
  const { alert, deliveries } = started;
  const due = deliveries.filter(({ status, attempts }) => status === "pending" && attempts === 0);
  const tried = await Promise.all(due.map((delivery) => makeAttempt(context, parts, delivery, alert)));
  const known = deliveries.filter((delivery) => !due.includes(delivery));
  return {
    kind: "begun",
    deliveries: [
      ...(await recordAttempts(context, tried)),
      ...known.map((delivery) => progressOf(context, delivery, null)),
    ],
  };
}

interface Started {
  alert: FiredAlert;
  deliveries: readonly Delivery[];
}

/** Null where it is suppressed. */
async function start(context: ServiceContext, fired: FiredAlert): Promise<Started | null> {
  if (fired.status === "suppressed") return null;
  const now = context.clock();
  const deliveries = channelsOn(choiceNow(fired)).map((channel) => ({ deliveryId: newId("delivery"), channel }));
  const reason = silenceOf(fired);
  if (reason !== null)
    return (await silenceAlert(context.pool, fired.alertId, { reason, now }, deliveries))
      ? null
      : readStarted(context, fired.alertId);
  const rows = context.settings.prices.alertOccurrenceRows;
  const purchase = { rows, period: usagePeriod(now), allowance: rowAllowance(fired.plan, context.settings), now };
  switch (await pay(context.pool, fired.alertId, purchase, deliveries)) {
    case "begun":
      return {
        alert: { ...fired, begun: true, rowsBilled: rows },
        deliveries: deliveries.map((delivery) => untried(fired, delivery, now)),
      };
    case "known":
      return readStarted(context, fired.alertId);
    case "suppressed":
    case null:
      return null;
  }
}

/** What another call has begun; null where it was suppressed. */
async function readStarted({ pool }: ServiceContext, alertId: string): Promise<Started | null> {
  const alert = await readFiredAlert(pool, alertId);
  return alert?.begun === true ? { alert, deliveries: await listFirstDeliveries(pool, alertId) } : null;
}

function untried(alert: FiredAlert, delivery: Pick<Delivery, "deliveryId" | "channel">, now: Date): Delivery {
  return {
    ...delivery,
    accountId: alert.accountId,
    alertId: alert.alertId,
    monitorId: alert.monitorId,
    purpose: "alert",
    eventId: alert.eventId,
    status: "pending",
    reason: null,
    attempts: 0,
    nextAttemptAt: null,
    takenBy: [],
    createdAt: now,
  };
}
