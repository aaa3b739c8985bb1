import * as wf from "@temporalio/workflow";
import type { RotationActivities } from "../activities/rotation.ts";
import { searchAttributes } from "./searchAttributes.ts";

export interface RotationInput {
  monitorId: string;
  /** When the old secret stops signing, in Unix milliseconds. */
  expiresAtMilliseconds: number;
}

/** Another rotation: the window ends at this time, in Unix milliseconds. */
const restartWindow = wf.defineUpdate<void, [number]>("restartWindow");

/** Keeps what another clock thinks is early from becoming a busy loop. */
const leastWaitMilliseconds = 1000;

/**
 * Erases a monitor's old webhook secret from the database when its window is over. Signing looks at the window's end itself, so that a late
 * run of this only keeps a dead secret longer. The row in the database decides; no secret comes near this history.
 */
export async function webhookSecretRotation({ monitorId, expiresAtMilliseconds }: RotationInput): Promise<void> {
  let endsAt = expiresAtMilliseconds;
  wf.setHandler(
    restartWindow,
    (next) => {
      endsAt = Math.max(endsAt, next);
    },
    {
      validator: (next) => {
        if (!Number.isSafeInteger(next)) throw wf.ApplicationFailure.nonRetryable("the window must end at a time");
      },
    },
  );
  const { endRotation } = wf.proxyActivities<RotationActivities>({
    startToCloseTimeout: "1 minute",
    retry: { initialInterval: "1 second", maximumInterval: "30 seconds" },
    summary: `erase the old secret of ${monitorId} if its time has come`,
  });
  wf.upsertSearchAttributes([{ key: searchAttributes.stage, value: "waiting" }]);
  for (;;) {
    const awaited = endsAt;
    report("waiting", `Both secrets sign until ${new Date(awaited).toISOString()}; then the old one is erased.`);
    const waitMilliseconds = Math.max(0, awaited - Date.now());
    const summary = "until the old secret may be erased";
    if (await wf.condition(() => endsAt !== awaited, waitMilliseconds, { summary })) continue;
    const left = await endRotation(monitorId);
    if (endsAt !== awaited) continue;
    if (left === null) break;
    endsAt = Math.max(left, Date.now() + leastWaitMilliseconds);
  }
  await wf.condition(wf.allHandlersFinished);
  wf.upsertSearchAttributes([{ key: searchAttributes.stage, value: "done" }]);
  report("done", "The old secret is erased; the newest alone signs.");
}

function report(stage: string, details: string): void {
  const remark =
    "It waits for its time and Postgres only. Terminated, it leaves the dead secret in the database, unused.";
  wf.setCurrentDetails(`**${stage}**, ${new Date().toISOString()}\n\n${details} ${remark}`);
}
