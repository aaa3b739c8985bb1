import * as wf from "@temporalio/workflow";
import type { ImageActivities } from "../activities/images.ts";
import { searchAttributes } from "./searchAttributes.ts";

const { resolveImages } = wf.proxyActivities<ImageActivities>({
  startToCloseTimeout: "10 minutes",
  heartbeatTimeout: "15 seconds",
  retry: { initialInterval: "5 seconds", maximumInterval: "1 minute" },
  summary: "look at the pages of a batch of entities for their images",
});

/** Keeps one run's history short; what is left is for the run that follows it. */
const batchesPerRun = 200;

interface Progress {
  looked: number;
  found: number;
}

/** Looks for the images of entities that are due, batch by batch, until none is; answers how many it looked at and found. */
export async function imageResolution(before: Progress = { looked: 0, found: 0 }): Promise<Progress> {
  wf.upsertSearchAttributes([{ key: searchAttributes.stage, value: "looking" }]);
  let progress = before;
  report("looking", progress);
  for (let batch = 1; batch <= batchesPerRun; batch += 1) {
    const { looked, found, more } = await resolveImages();
    progress = { looked: progress.looked + looked, found: progress.found + found };
    if (!more) {
      wf.upsertSearchAttributes([{ key: searchAttributes.stage, value: "done" }]);
      report("done", progress);
      return progress;
    }
    report("looking", progress);
  }
  return wf.continueAsNew<typeof imageResolution>(progress);
}

function report(stage: string, { looked, found }: Progress): void {
  const wait =
    stage === "done"
      ? "No entity is due; the schedule starts the next run."
      : "It waits for pages on the web, each for ten seconds at most. Terminating it loses nothing: the next run goes on. Pausing the schedule stops all such calls.";
  wf.setCurrentDetails(
    `**${stage}**, ${new Date().toISOString()}\n\n${looked} entities looked at, images of ${found} found. ${wait}`,
  );
}
