import * as wf from "@temporalio/workflow";
import type { AlertActivities } from "../activities/alerts.ts";
import type { SingleDeliveryInput } from "../domain/delivery/progress.ts";
import { deliver, deliveryOptions, type DeliveryStage } from "./deliver.ts";
import { report } from "./report.ts";

const { attemptDelivery } = wf.proxyActivities<AlertActivities>({ ...deliveryOptions, summary: "first attempt" });

/** One thing on one channel: a redelivery, tried again as an alert is, or a test's only attempt. */
export async function singleDelivery({
  deliveryId,
}: SingleDeliveryInput): Promise<{ outcome: DeliveryStage | "unknown" }> {
  wf.setCurrentDetails("**delivering**\n\nMakes the first attempt.");
  const first = await attemptDelivery(deliveryId, 1);
  if (first !== null) return { outcome: await deliver([first]) };
  report("failed", "There is no such delivery.");
  return { outcome: "unknown" };
}
