import * as wf from "@temporalio/workflow";
import type { UpkeepActivities } from "../activities/upkeep.ts";
import { searchAttributes } from "./searchAttributes.ts";

const { retypeMentionBatch } = wf.proxyActivities<UpkeepActivities>({
  startToCloseTimeout: "1 minute",
  retry: { initialInterval: "1 second", maximumInterval: "30 seconds" },
  summary: "rewrite the type that a batch of mentions carries",
});

/** Keeps one run's history short; what is left is for the run that follows it. */
const batchesPerRun = 200;

/** Rewrites the type that mentions of merged and retyped entities carry, batch by batch, until all are; answers how many it went through. */
export async function mentionRetyping(mentionsBefore = 0): Promise<{ mentions: number }> {
  wf.upsertSearchAttributes([{ key: searchAttributes.stage, value: "retyping" }]);
  let mentions = mentionsBefore;
  report("retyping", mentions);
  for (let batch = 1; batch <= batchesPerRun; batch += 1) {
    const result = await retypeMentionBatch();
    mentions += result.mentions;
    if (!result.more) {
      wf.upsertSearchAttributes([{ key: searchAttributes.stage, value: "done" }]);
      report("done", mentions);
      return { mentions };
    }
    report("retyping", mentions);
  }
  return wf.continueAsNew<typeof mentionRetyping>(mentions);
}

function report(stage: string, mentions: number): void {
  const wait =
    stage === "done"
      ? "Nothing is left; the schedule starts the next run."
      : "It waits for Postgres only. Terminating it loses nothing: lists are right meanwhile, and the next run goes on.";
  wf.setCurrentDetails(`**${stage}**, ${new Date().toISOString()}\n\n${mentions} mentions gone through. ${wait}`);
}
