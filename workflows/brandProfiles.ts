import * as wf from "@temporalio/workflow";
import type { UpkeepActivities } from "../activities/upkeep.ts";
import { searchAttributes } from "./searchAttributes.ts";

const { sumBrandProfiles } = wf.proxyActivities<UpkeepActivities>({
  startToCloseTimeout: "1 minute",
  retry: { initialInterval: "1 second", maximumInterval: "15 seconds" },
  summary: "sum up a batch of brand profiles whose commercial rows have changed",
});

/** Keeps one run's history short; what is left is for the run that follows it. */
const batchesPerRun = 200;

/** Brings the brand profiles whose commercial rows have changed to what those say, batch by batch; answers how many it summed up. */
export async function brandProfiles(summedBefore = 0): Promise<{ summed: number }> {
  wf.upsertSearchAttributes([{ key: searchAttributes.stage, value: "summing" }]);
  let summed = summedBefore;
  report("summing", summed);
  for (let batch = 1; batch <= batchesPerRun; batch += 1) {
    const result = await sumBrandProfiles();
    summed += result.summed;
    if (!result.more) {
      wf.upsertSearchAttributes([{ key: searchAttributes.stage, value: "done" }]);
      report("done", summed);
      return { summed };
    }
    report("summing", summed);
  }
  return wf.continueAsNew<typeof brandProfiles>(summed);
}

function report(stage: string, summed: number): void {
  const wait =
    stage === "done"
      ? "None lags behind; the schedule starts the next run."
      : "It waits for Postgres only. Terminating it loses nothing: the next run goes on.";
  wf.setCurrentDetails(`**${stage}**, ${new Date().toISOString()}\n\n${summed} brand profiles summed up. ${wait}`);
}
