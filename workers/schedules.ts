import { setTimeout as sleep } from "node:timers/promises";
import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from "@temporalio/client";
import type { Logger } from "pino";
import type { Pool } from "../database/pool.ts";
import { searchAttributes } from "../workflows/searchAttributes.ts";
import { taskQueues } from "../workflows/taskQueues.ts";
import { ensureChannelSchedules } from "./channelSchedules.ts";

/** Everything that happens by the clock, in one place, but for the polls of followed channels (channelSchedules.ts). */
const schedules: readonly ScheduleOptions[] = [
  schedule({
    id: "idempotency-purge",
    workflowType: "idempotencyPurge",
    every: "10 minutes",
    summary: "Deletes idempotency keys past their retention",
    details: "Paused, old keys only take room: past the retention a key counts as new anyway.",
  }),
  schedule({
    id: "brand-profiles",
    workflowType: "brandProfiles",
    every: "30 seconds",
    summary: "Sums up the brand profiles whose commercial rows have changed",
    details: "Paused, the totals on entity reads lag behind; merges still bring their own up to date.",
  }),
  schedule({
    id: "image-resolution",
    workflowType: "imageResolution",
    every: "10 minutes",
    summary: "Looks for images of entities on their pages",
    details: "Paused, entities keep the images they have, and nothing is fetched from their pages.",
  }),
  schedule({
    id: "related-entities",
    workflowType: "relatedEntities",
    every: "1 minute",
    summary: "Keeps the related lists of much-mentioned entities counted",
    details:
      "Paused, those lists stay as they are, and lists that were not counted yet, or were dropped by a merge, are counted at each read, which is slow.",
  }),
  schedule({
    id: "mention-retyping",
    workflowType: "mentionRetyping",
    every: "1 minute",
    summary: "Rewrites the type that mentions of merged and retyped entities carry",
    details: "Paused, lists by type stay right, and read the mentions of these entities apart, which costs them time.",
  }),
];

const retryMilliseconds = 30_000;

/**
 * Creates the schedules, and brings those that exist to today's definition; whether an operator has paused one stays as it is. Any
 * number of workers may do it at once.
 */
export async function ensureSchedules(client: Client): Promise<void> {
  for (const definition of schedules) {
    try {
      await client.schedule.create(definition);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      const { scheduleId, memo: _, ...today } = definition;
      await client.schedule.getHandle(scheduleId).update(({ state }) => ({ ...today, state }));
    }
  }
}

/**
 * Ensures the schedules, those of followed channels too, in the background, again and again while Temporal refuses; `stop` resolves once
 * it has given up or is done.
 */
export function keepSchedules(pool: Pool, client: Client, logger: Logger): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        await client.withAbortSignal(stopping.signal, async () => {
          await ensureSchedules(client);
          await ensureChannelSchedules(pool, client);
        });
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        logger.warn({ err: error }, "schedules not made, trying again");
        await sleep(retryMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

function schedule(plan: {
  id: string;
  workflowType: string;
  every: "30 seconds" | "1 minute" | "10 minutes";
  summary: string;
  details: string;
}): ScheduleOptions {
  return {
    scheduleId: plan.id,
    spec: { intervals: [{ every: plan.every }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: "1 minute" },
    action: {
      type: "startWorkflow",
      workflowType: plan.workflowType,
      workflowId: plan.id,
      taskQueue: taskQueues.workflows,
      args: [],
      staticSummary: plan.summary,
      staticDetails: plan.details,
      typedSearchAttributes: [{ key: searchAttributes.stage, value: "scheduled" }],
    },
  };
}
