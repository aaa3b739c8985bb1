import * as wf from "@temporalio/workflow";
import type { AlertActivities } from "../activities/alerts.ts";
import type { AlertDeliveryInput, DeliveryProgress } from "../domain/delivery/progress.ts";
import { searchAttributes } from "./searchAttributes.ts";

const patiently = { initialInterval: "1 second", backoffCoefficient: 2, maximumInterval: "1 minute" } as const;

const { beginAlert } = wf.proxyActivities<AlertActivities>({
  startToCloseTimeout: "1 minute",
  retry: patiently,
  summary: "debit once, then the first attempt on every channel",
});

/**
 * One alert's way to its receivers: paid for once, then tried on each channel by itself until it is taken, refused or given up. What each
 * attempt does depends on the settings of its moment.
 */
export async function alertDelivery({ occurrenceId }: AlertDeliveryInput): Promise<{ outcome: string }> {
  const begin = await beginAlert(occurrenceId);
  switch (begin.kind) {
    case "unknown":
      report("failed", "There is no such occurrence.");
      return { outcome: "unknown" };
    case "suppressed":
      report("suppressed", "The pool could not pay for it: not delivered, nothing billed. Nothing is left to do.");
      return { outcome: "suppressed" };
    case "begun":
      return deliver([...begin.deliveries]);
  }
}

/** Retries a redelivery, or makes the one attempt of a test. */
export async function singleDelivery({ deliveryId }: { deliveryId: string }): Promise<{ outcome: string }> {
  const { attemptDelivery } = attempts("first attempt");
  return deliver([await attemptDelivery(deliveryId)]);
}

async function deliver(deliveries: DeliveryProgress[]): Promise<{ outcome: string }> {
  const nextAt = deliveries.map(() => 0);
  const show = () => report(stageOf(deliveries), describe(deliveries, nextAt));
  const retry = async (index: number) => {
    for (;;) {
      const delivery = deliveries[index];
      if (delivery === undefined || delivery.nextAttemptSeconds === null) return;
      nextAt[index] = Date.now() + delivery.nextAttemptSeconds * 1000;
      show();
      await wf.sleep(Math.ceil(delivery.nextAttemptSeconds * 1000), {
        summary: `until ${delivery.channel} is tried again`,
      });
      const { attemptDelivery } = attempts(`${delivery.channel}, attempt ${delivery.attempts + 1}`);
      deliveries[index] = await attemptDelivery(delivery.deliveryId);
    }
  };
  if (deliveries.some(({ nextAttemptSeconds }) => nextAttemptSeconds !== null))
    await Promise.all(deliveries.map((_, index) => retry(index)));
  show();
  return { outcome: stageOf(deliveries) };
}

function attempts(summary: string) {
  return wf.proxyActivities<AlertActivities>({ startToCloseTimeout: "1 minute", retry: patiently, summary });
}

function stageOf(deliveries: readonly DeliveryProgress[]): "waiting" | "delivered" | "failed" {
  if (deliveries.some(({ status }) => status === "pending")) return "waiting";
  return deliveries.length === 0 || deliveries.some(({ status }) => status === "succeeded") ? "delivered" : "failed";
}

function describe(deliveries: readonly DeliveryProgress[], nextAt: readonly number[]): string {
  if (deliveries.length === 0) return "No channel is switched on: it can be read in the alert history only.";
  return deliveries
    .map(({ channel, status, attempts: made, reason }, index) => {
      const why = reason === null ? "" : ` (${reason})`;
      if (status !== "pending") return `- ${channel}: ${status} after ${made} attempts${why}`;
      const at = new Date(nextAt[index] ?? 0).toISOString();
      return `- ${channel}: attempt ${made} failed${why}; the next is at ${at}. Mend the receiver or the settings meanwhile: each attempt reads them anew.`;
    })
    .join("\n");
}

let reportedStage: string | null = null;

function report(stage: string, details: string): void {
  wf.setCurrentDetails(`**${stage}**, ${new Date().toISOString()}\n\n${details}`);
  if (stage === reportedStage) return;
  reportedStage = stage;
  wf.upsertSearchAttributes([{ key: searchAttributes.stage, value: stage }]);
}
