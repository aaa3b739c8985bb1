import type { Transaction } from "../../database/pool.ts";
import { insertDeliveries } from "../../database/redeliveries.ts";
import { ApiError } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { readMonitor } from "../monitors/read.ts";

/** A delivery that has been asked for. */
export interface RequestedDelivery {
  deliveryId: string;
  /** Null for a test. */
  alertId: string | null;
  eventId: string;
  requestedAt: Date;
}

/**
 * Has a test event sent to a monitor's webhook, signed as alerts are, whether or not the webhook is on: that is how a receiver is tried out
 * before. Costs nothing, and counts neither as a failure nor as a success. Throws `monitor_not_found`, or `webhook_not_configured` where
 * there is no URL or no secret.
 */
export async function testWebhook(
  { clock }: ServiceContext,
  transaction: Transaction,
  { accountId }: Caller,
  monitorId: string,
): Promise<RequestedDelivery> {
  const monitor = await readMonitor(transaction, accountId, monitorId);
  if (monitor.webhookUrl === null || !monitor.webhookSecretSet) throw new ApiError("webhook_not_configured");
  const delivery = { deliveryId: newId("delivery"), alertId: null, eventId: newId("event") };
  const requestedAt = clock();
  await insertDeliveries(transaction, { accountId, monitorId, purpose: "test", at: requestedAt }, [delivery], 0);
  return { ...delivery, requestedAt };
}
