import * as wf from "@temporalio/workflow";
import type { UpkeepActivities } from "../activities/upkeep.ts";
import { searchAttributes } from "./searchAttributes.ts";

const { purgeIdempotencyKeys } = wf.proxyActivities<UpkeepActivities>({
  startToCloseTimeout: "1 minute",
  retry: { initialInterval: "1 second", maximumInterval: "30 seconds" },
  summary: "delete a batch of idempotency keys past their retention",
});

/** Keeps one run's history short; what is left is for the run that follows it. */
const batchesPerRun = 200;

/** Deletes idempotency keys that are past their retention, batch by batch, until none is left; answers how many it deleted. */
export async function idempotencyPurge(deletedBefore = 0): Promise<{ deleted: number }> {
  wf.upsertSearchAttributes([{ key: searchAttributes.stage, value: "purging" }]);
  let deleted = deletedBefore;
  report("purging", deleted);
  for (let batch = 1; batch <= batchesPerRun; batch += 1) {
    const result = await purgeIdempotencyKeys();
    deleted += result.deleted;
    if (!result.more) {
      wf.upsertSearchAttributes([{ key: searchAttributes.stage, value: "done" }]);
      report("done", deleted);
      return { deleted };
    }
    report("purging", deleted);
  }
  return wf.continueAsNew<typeof idempotencyPurge>(deleted);
}

function report(stage: string, deleted: number): void {
  const wait =
    stage === "done"
      ? "Nothing is left; the schedule starts the next run."
      : "It waits for Postgres only. Terminating it loses nothing: the next run goes on.";
  wf.setCurrentDetails(`**${stage}**, ${new Date().toISOString()}\n\n${deleted} idempotency keys deleted. ${wait}`);
}
