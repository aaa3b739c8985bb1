import * as wf from "@temporalio/workflow";
import type { MediaActivities } from "../activities/media.ts";
import type { SpeechActivities } from "../activities/speech.ts";
import type { TranscriptionJobActivities } from "../activities/transcriptionJob.ts";
import type { TranscriptionInput, TranscriptionOutcome } from "../domain/transcriptionJob.ts";
import { EngineGate } from "./engineGate.ts";
import { failureReason, isTemporaryOutage, patiently } from "./failures.ts";
import { inLanes } from "./lanes.ts";
import { report } from "./report.ts";
import { taskQueues } from "./taskQueues.ts";

const { publishTranscript, failTranscription, cancelTranscription } = wf.proxyActivities<TranscriptionJobActivities>({
  startToCloseTimeout: "2 minutes",
  heartbeatTimeout: "20 seconds",
  retry: patiently,
});

const media = wf.proxyActivities<MediaActivities>({
  taskQueue: taskQueues.media,
  startToCloseTimeout: "3 hours",
  heartbeatTimeout: "15 seconds",
  retry: patiently,
});

/**
 * One video's way from recording to transcript. Every step writes its own progress to Postgres, so that the workflow carries ids
 * and counts only, and any step may run twice.
 */
export async function transcription(input: TranscriptionInput): Promise<TranscriptionOutcome> {
  try {
    return await transcribe(input);
  } catch (error) {
    if (wf.isCancellation(error)) {
      await wf.CancellationScope.nonCancellable(() => cleanUpCanceled(input));
      throw error;
    }
    const reason = failureReason(error);
    report("failed", `Failed: ${reason}. The held rows are given back; a new submission starts anew.`);
    await failTranscription(input.jobId, reason);
    await media.discardAudio(input.jobId);
    // A failure of the recording is an outcome; anything else is a defect, and shows as a failed workflow.
    if (reason === "internal") throw error;
    return { outcome: "failed", reason };
  }
}

async function transcribe(input: TranscriptionInput): Promise<TranscriptionOutcome> {
  report("describing", "Asking the media source for the video's title and length.");
  const described = await media.describeVideo(input.jobId);
  if (described !== "covered") return endEarly(described);
  report("fetching", "Fetching and decoding the audio.");
  const fetched = await media.fetchAudio(input.jobId);
  if (fetched !== "covered") return endEarly(fetched);
  report("splitting", "Looking for pauses to split the recording at.");
  const chunkCount = await media.splitAudio(input.jobId);
  await recogniseChunks(input, chunkCount);
  report("publishing", "Publishing revision 1 and settling the rows.");
  await publishTranscript(input.jobId);
  await media.discardAudio(input.jobId);
  report("done", "The transcript is published.");
  return { outcome: "completed" };
}

function endEarly(settlement: "insufficient_rows" | "ended"): TranscriptionOutcome {
  switch (settlement) {
    case "insufficient_rows":
      report(
        "canceled",
        "Canceled: the account's pool does not cover the price of the real length. The held rows are given back.",
      );
      return { outcome: "canceled", reason: "insufficient_rows" };
    case "ended":
      report("canceled", "The job was canceled before this step.");
      return { outcome: "canceled", reason: "requested" };
  }
}

async function recogniseChunks(input: TranscriptionInput, chunkCount: number): Promise<void> {
  const engine = new EngineGate(input.engineOutageLimitSeconds, "canceling this workflow refunds the job");
  let doneCount = 0;
  const showProgress = () =>
    report("recognising", `${doneCount} of ${chunkCount} chunks recognised.${engine.explain()}`);
  showProgress();
  await inLanes(chunkCount, input.chunksInFlight, async (index) => {
    const { recogniseChunk } = speechActivities(input, `chunk ${index + 1} of ${chunkCount}`);
    await engine.run(() => recogniseChunk(input.jobId, index), isTemporaryOutage, showProgress);
    doneCount += 1;
    showProgress();
  });
}

async function cleanUpCanceled(input: TranscriptionInput): Promise<void> {
  report("canceled", "Canceled; the held rows are given back.");
  await cancelTranscription(input.jobId);
  await media.discardAudio(input.jobId);
}

function speechActivities(input: TranscriptionInput, summary: string) {
  return wf.proxyActivities<SpeechActivities>({
    taskQueue: taskQueues.speech,
    startToCloseTimeout: "30 minutes",
    heartbeatTimeout: "10 seconds",
    retry: patiently,
    priority: { priorityKey: input.priority === "high" ? 1 : 3 },
    summary,
  });
}
