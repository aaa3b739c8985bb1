import * as wf from "@temporalio/workflow";
import type { TeachingActivities } from "../activities/teaching.ts";
import type { TeachingProgress } from "../domain/teaching/states.ts";
import { report } from "./report.ts";

const { carryTaughtName } = wf.proxyActivities<TeachingActivities>({
  startToCloseTimeout: "1 minute",
  heartbeatTimeout: "10 seconds",
  retry: { initialInterval: "1 second", backoffCoefficient: 2, maximumInterval: "1 minute" },
  summary: "the next places of the taught name",
});

/** After so many a new run begins, so that no history grows long. */
const batchesPerRun = 200;

/** Sent with each decision: there is something to do, or to do otherwise. */
const decided = wf.defineSignal("decided");

/**
 * Carries what was decided on a taught name: batch by batch, the places where its words stand are corrected, or the corrections are taken back.
 * What is to be done, and what is done, stands in Postgres; a decision that comes meanwhile is heeded by the next batch.
 */
export async function nameTeaching(taughtNameId: number): Promise<TeachingProgress> {
  let hasNews = false;
  wf.setHandler(decided, () => {
    hasNews = true;
  });
  wf.setCurrentDetails(detailsOf(taughtNameId, null));
  for (let batch = 1; batch <= batchesPerRun; batch += 1) {
    hasNews = false;
    const progress = await carryTaughtName(taughtNameId);
    report(progress.status, detailsOf(taughtNameId, progress));
    if (!progress.hasMore && !hasNews) return progress;
  }
  return wf.continueAsNew<typeof nameTeaching>(taughtNameId);
}

function detailsOf(taughtNameId: number, progress: TeachingProgress | null): string {
  const counts = progress?.counts;
  const done =
    counts === undefined
      ? "Nothing is done yet."
      : `Segments: ${counts.candidate} to look at, ${counts.pending} to correct, ${counts.corrected} corrected, ${counts.skipped} skipped, ${counts.withdrawn} taken back, ${counts.kept} kept as they were edited since.`;
  const wait =
    progress?.hasMore === false
      ? "Nothing is left to do."
      : "It waits for Postgres only. Terminated, it loses nothing that is done, and is started anew by accepting the name once more, or by its undo.";
  return `${done} \`GET /internal/taught-names/${taughtNameId}/places\` lists them. ${wait} To stop it, undo the name: \`POST /internal/taught-names/${taughtNameId}/undo\`.`;
}
