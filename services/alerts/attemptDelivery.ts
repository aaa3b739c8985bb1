import { readDelivery, readFiredAlert } from "../../database/alertDeliveries.ts";
import { settleAlert } from "../../database/webhookFailures.ts";
import type { DeliveryProgress } from "../../domain/delivery/progress.ts";
import type { ServiceContext } from "../context.ts";
import { makeAttempt } from "./makeAttempt.ts";
import type { DeliveryParts } from "./parts.ts";
import { progressOf, recordAttempts } from "./recordAttempts.ts";

/**
 * Makes attempt `number` of a delivery by the settings of the moment, unless it has been made or the delivery is over; says where it stands
 * then. Null where there is no such delivery.
 */
export async function attemptDelivery(
  context: ServiceContext,
  parts: DeliveryParts,
  { deliveryId, number }: { deliveryId: string; number: number },
): Promise<DeliveryProgress | null> {
  const delivery = await readDelivery(context.pool, deliveryId);
  if (delivery === null) return null;
  const { alertId } = delivery;
  if (delivery.status !== "pending" || delivery.attempts >= number) {
    // What was stopped with its webhook while somebody else held the alert.
    if (alertId !== null && delivery.status === "skipped")
      await context.pool.transaction((transaction) => settleAlert(transaction, alertId));
    return progressOf(context, delivery, null);
  }
  const alert = alertId === null ? null : await readFiredAlert(context.pool, alertId);
  const [progress] = await recordAttempts(context, [await makeAttempt(context, parts, delivery, alert)]);
  return progress ?? null;
}
