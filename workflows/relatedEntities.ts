import * as wf from "@temporalio/workflow";
import type { RelatedEntitiesActivities } from "../activities/relatedEntities.ts";
import { searchAttributes } from "./searchAttributes.ts";

const retry = { initialInterval: "1 second", maximumInterval: "30 seconds" } as const;
const { applyEvidenceChanges } = wf.proxyActivities<RelatedEntitiesActivities>({
  startToCloseTimeout: "1 minute",
  retry,
  summary: "add what came and went to the counts",
});
const { buildWantedSet } = wf.proxyActivities<RelatedEntitiesActivities>({
  // The most-mentioned entity of a large index takes minutes; a dead worker is noticed by its heartbeats.
  startToCloseTimeout: "2 hours",
  heartbeatTimeout: "30 seconds",
  retry,
  summary: "count the related entities of one entity",
});
const { purgeRelations } = wf.proxyActivities<RelatedEntitiesActivities>({
  startToCloseTimeout: "1 minute",
  retry,
  summary: "delete a batch of counts that nobody reads",
});

/** Keeps one run's history short; what is left is for the run that follows it. */
const stepsPerRun = 300;

/** What a run has done so far, continued ones included. */
export interface RelatedEntitiesProgress {
  changes: number;
  built: number;
  deleted: number;
}

/**
 * Keeps the related entities of much-mentioned entities counted: adds what came and went, counts those that are missing, those that reads
 * wait for first, and deletes what is out of use. Answers what it did.
 */
export async function relatedEntities(
  done: RelatedEntitiesProgress = { changes: 0, built: 0, deleted: 0 },
): Promise<RelatedEntitiesProgress> {
  const progress = { ...done };
  let stepsLeft = stepsPerRun;
  let stageShown = "";
  const show = (stage: string) => {
    if (stage !== stageShown) wf.upsertSearchAttributes([{ key: searchAttributes.stage, value: stage }]);
    stageShown = stage;
    report(stage, progress);
  };
  const step = async <T>(stage: string, act: () => Promise<T>): Promise<T> => {
    show(stage);
    if (stepsLeft === 0) await wf.continueAsNew<typeof relatedEntities>(progress);
    stepsLeft -= 1;
    return act();
  };
  const applyAll = async () => {
    for (let more = true; more;) {
      const result = await step("adding changes", applyEvidenceChanges);
      progress.changes += result.changes;
      more = result.more;
    }
  };
  for (let more = true; more;) {
    await applyAll();
    const result = await step("counting", buildWantedSet);
    if (result.built) progress.built += 1;
    // One that a merge has overtaken is for the next run, so that merges without end do not keep this one going.
    more = result.built && result.more;
  }
  for (let more = true; more;) {
    const result = await step("deleting", purgeRelations);
    progress.deleted += result.deleted;
    more = result.more;
  }
  show("done");
  return progress;
}

function report(stage: string, { changes, built, deleted }: RelatedEntitiesProgress): void {
  const wait =
    stage === "done"
      ? "Nothing is left; the schedule starts the next run."
      : "It waits for Postgres only. Terminating it loses nothing: the next run goes on.";
  wf.setCurrentDetails(
    `**${stage}**, ${new Date().toISOString()}\n\n${changes} changes added, ${built} lists counted, ${deleted} old rows deleted. ${wait}`,
  );
}
