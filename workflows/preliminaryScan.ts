import * as wf from "@temporalio/workflow";
import type { ScanActivities } from "../activities/scan.ts";
import type { ScanMediaActivities } from "../activities/scanMedia.ts";
import type { ScanSpeechActivities } from "../activities/scanSpeech.ts";
import type { ScanInput, ScanOutcome, ScanRun } from "../domain/scan.ts";
import { EngineGate } from "./engineGate.ts";
import { failureReason, isTemporaryOutage, patiently } from "./failures.ts";
import { inLanes } from "./lanes.ts";
import { report } from "./report.ts";
import { taskQueues } from "./taskQueues.ts";

const { beginScan, indexScan, failScan, cancelScan } = wf.proxyActivities<ScanActivities>({
  startToCloseTimeout: "5 minutes",
  heartbeatTimeout: "20 seconds",
  retry: patiently,
});

/** Behind everything that somebody pays for. */
const priority = { priorityKey: 5 } as const;

const media = wf.proxyActivities<ScanMediaActivities>({
  taskQueue: taskQueues.media,
  startToCloseTimeout: "3 hours",
  heartbeatTimeout: "15 seconds",
  retry: patiently,
  priority,
});

/**
 * What is said in a video that nobody paid for: from captions where there are any, else from a fast pass of the speech engine, then
 * indexed for counts, mentions and alerts. Any step may run twice; the workflow carries ids and counts only.
 */
export async function preliminaryScan(input: ScanInput): Promise<ScanOutcome> {
  const scan = { videoId: input.videoId, run: input.run };
  try {
    return await scanVideo(input, scan);
  } catch (error) {
    if (wf.isCancellation(error)) {
      await wf.CancellationScope.nonCancellable(async () => {
        report("canceled", "Canceled; what was heard so far is forgotten.");
        await cancelScan(scan);
        await media.discardScanSound(scan);
      });
      throw error;
    }
    const reason = failureReason(error);
    report("failed", `Failed: ${reason}. Nobody pays for a scan; \`media-index scan ${input.videoId}\` tries again.`);
    await failScan(scan, reason);
    await media.discardScanSound(scan);
    // A failure of the recording is an outcome; anything else is a defect, and shows as a failed workflow.
    if (reason === "internal") throw error;
    return { outcome: "failed", reason };
  }
}

async function scanVideo(input: ScanInput, scan: ScanRun): Promise<ScanOutcome> {
  report("starting", "Looking for what is known of the video already.");
  const known = await beginScan(scan);
  if (known === "superseded") return supersede();
  if (known === "unknown") {
    await describeOnceBroadcast(input, scan);
    if (!(await findCaptions(scan))) await listen(input, scan);
  }
  report("indexing", "Looking for who and what is spoken of.");
  const source = await indexScan(scan);
  if (known === "unknown") await media.discardScanSound(scan);
  if (source === null) return supersede();
  report("done", `The scan is indexed, from ${source}.`);
  return { outcome: "completed", source };
}

function supersede(): ScanOutcome {
  report("superseded", "There is a transcript, or another scan was asked for: nothing is left to do here.");
  return { outcome: "superseded" };
}

/** A broadcast that is coming or under way is looked at again and again until it is a recording. */
async function describeOnceBroadcast(input: ScanInput, scan: ScanRun): Promise<void> {
  const { broadcastRetrySeconds, broadcastWaitLimitSeconds } = input;
  const since = Date.now();
  for (;;) {
    report("describing", "Asking the media source for the video's title and length.");
    try {
      return await media.describeScannedVideo(scan);
    } catch (error) {
      const waitedSeconds = (Date.now() - since) / 1000;
      if (failureReason(error) !== "live_or_upcoming" || waitedSeconds >= broadcastWaitLimitSeconds) throw error;
      report(
        "waiting",
        `The video is not a recording yet: its broadcast is coming or under way. It is looked at again every ${broadcastRetrySeconds} s until ${new Date(since + broadcastWaitLimitSeconds * 1000).toISOString()}. Canceling this workflow ends the scan.`,
      );
      await wf.sleep(broadcastRetrySeconds * 1000, { summary: "wait for the end of the broadcast" });
    }
  }
}

/** Captions that cannot be fetched are no reason to give up: there is the sound. */
async function findCaptions(scan: ScanRun): Promise<boolean> {
  report("reading captions", "Asking the media source for captions.");
  try {
    return await media.fetchCaptions(scan);
  } catch (error) {
    if (failureReason(error) !== "download_failed") throw error;
    return false;
  }
}

async function listen(input: ScanInput, scan: ScanRun): Promise<void> {
  report("fetching", "There are no captions. Fetching and decoding the audio for a fast pass.");
  await media.fetchScanSound(scan);
  const chunkCount = await media.splitScanSound(scan);
  const engine = new EngineGate(input.engineOutageLimitSeconds, "canceling this workflow ends the scan");
  let doneCount = 0;
  const showProgress = () => report("listening", `${doneCount} of ${chunkCount} chunks heard.${engine.explain()}`);
  showProgress();
  await inLanes(chunkCount, input.chunksInFlight, async (index) => {
    const { recogniseScanChunk } = speechActivities(`chunk ${index + 1} of ${chunkCount}`);
    await engine.run(() => recogniseScanChunk(scan, index), isTemporaryOutage, showProgress);
    doneCount += 1;
    showProgress();
  });
}

function speechActivities(summary: string) {
  return wf.proxyActivities<ScanSpeechActivities>({
    taskQueue: taskQueues.speech,
    startToCloseTimeout: "30 minutes",
    heartbeatTimeout: "10 seconds",
    retry: patiently,
    priority,
    summary,
  });
}
