import * as wf from "@temporalio/workflow";
import type { AlertActivities } from "../activities/alerts.ts";
import type { AlertDeliveryInput } from "../domain/delivery/progress.ts";
import { deliver, deliveryOptions, type DeliveryStage } from "./deliver.ts";
import { report } from "./report.ts";

/** Local: an alert whose receivers answer costs Temporal a single workflow task. Longer than any first attempt may take. */
const { beginAlert } = wf.proxyLocalActivities<AlertActivities>({
  startToCloseTimeout: "1 minute",
  retry: deliveryOptions.retry,
  summary: "debit once, then the first attempt on every channel",
});

/**
 * One alert's way to its receivers: paid for once, then tried on each channel by itself until it is taken, refused or given up. What each
 * attempt does depends on the settings of its moment.
 */
export async function alertDelivery({
  occurrenceId,
}: AlertDeliveryInput): Promise<{ outcome: DeliveryStage | "suppressed" | "unknown" }> {
  wf.setCurrentDetails("**delivering**\n\nDebits the alert, then makes the first attempt on each channel.");
  const begin = await beginAlert(occurrenceId);
  switch (begin.kind) {
    case "unknown":
      report("failed", "There is no such occurrence.");
      return { outcome: "unknown" };
    case "suppressed":
      report(
        "suppressed",
        "The pool could not pay for it, or its tracker or monitor was paused or deleted first: not delivered, not billed. Nothing is left to do.",
      );
      return { outcome: "suppressed" };
    case "begun":
      return { outcome: await deliver(begin.deliveries) };
  }
}
