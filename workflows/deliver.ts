import * as wf from "@temporalio/workflow";
import type { AlertActivities } from "../activities/alerts.ts";
import type { DeliveryProgress } from "../domain/delivery/progress.ts";
import { report } from "./report.ts";

/** Attempts to deliver are tried again by the workflow; an activity only where it could not write one down. */
export const deliveryOptions = {
  startToCloseTimeout: "5 minutes",
  heartbeatTimeout: "15 seconds",
  retry: { initialInterval: "1 second", backoffCoefficient: 2, maximumInterval: "1 minute" },
} as const;

export type DeliveryStage = "waiting" | "delivered" | "failed";

/** Tries what is still pending again, each channel by itself, until nothing is; says how it ended. */
export async function deliver(first: readonly DeliveryProgress[]): Promise<DeliveryStage> {
  const channels = first.map((progress): Channel => ({ progress, nextAt: null }));
  await Promise.all(channels.map((channel) => retry(channel, () => show(channels))));
  show(channels);
  return stageOf(channels);
}

interface Channel {
  progress: DeliveryProgress;
  /** Unix milliseconds; null where no attempt is to come. */
  nextAt: number | null;
}

async function retry(channel: Channel, onWait: () => void): Promise<void> {
  for (;;) {
    const { channel: name, deliveryId, attempts, nextAttemptSeconds } = channel.progress;
    channel.nextAt = null;
    if (nextAttemptSeconds === null) return;
    const waitMilliseconds = Math.ceil(nextAttemptSeconds * 1000);
    channel.nextAt = Date.now() + waitMilliseconds;
    onWait();
    await wf.sleep(waitMilliseconds, { summary: `until ${name} is tried again` });
    const { attemptDelivery } = wf.proxyActivities<AlertActivities>({
      ...deliveryOptions,
      summary: `${name}, attempt ${attempts + 1}`,
    });
    const progress = await attemptDelivery(deliveryId, attempts + 1);
    if (progress === null) return;
    channel.progress = progress;
  }
}

function stageOf(channels: readonly Channel[]): DeliveryStage {
  const statuses = channels.map(({ progress }) => progress.status);
  if (statuses.includes("pending")) return "waiting";
  return statuses.length === 0 || statuses.includes("succeeded") ? "delivered" : "failed";
}

function show(channels: readonly Channel[]): void {
  const lines = channels.map((channel) => `- ${describe(channel)}`);
  report(
    stageOf(channels),
    lines.length === 0
      ? "No channel is switched on: it can be read in the alert history only."
      : `${lines.join("\n")}\n\n${advice(channels)}`,
  );
}

function describe({ progress, nextAt }: Channel): string {
  const { channel, status, attempts, reason } = progress;
  const why = reason === null ? "" : ` (${reason})`;
  const made = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  if (status !== "pending") return `${channel}: ${status} after ${made}${why}`;
  if (nextAt === null) return `${channel}: attempt ${attempts + 1} is under way${why}`;
  return `${channel}: waits after ${made}${why}; the next one is at ${new Date(nextAt).toISOString()}`;
}

function advice(channels: readonly Channel[]): string {
  return stageOf(channels) === "waiting"
    ? "Mend the receiver or the settings meanwhile: each attempt reads them anew. Terminated, what waits is never sent."
    : "Nothing is left to do.";
}
