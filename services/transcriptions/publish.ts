import { settleRows } from "../../database/ledger.ts";
import { readRecognised } from "../../database/transcriptionChunks.ts";
import { endJob, lockJob } from "../../database/transcriptionJobs.ts";
import { insertTranscript, insertUnlock } from "../../database/transcripts.ts";
import { readAllSegments } from "../../database/transcriptParts.ts";
import { readVideo } from "../../database/videos.ts";
import { MediaFailure } from "../../domain/failureReasons.ts";
import { isRunning } from "../../domain/transcriptionJob.ts";
import type { Gazetteer } from "../../domain/detection/gazetteer.ts";
import type { ServiceContext } from "../context.ts";
import { indexVideo } from "../indexing/indexVideo.ts";
import { spokenSegments } from "../indexing/spokenSegments.ts";

export type Publication = "published" | "ended";

/**
 * Turns the recognised chunks into revision 1 and its evidence, captures the hold, unlocks the transcript for its submitter and completes the
 * job, all in one transaction; run twice, the second run finds the job ended. Throws `MediaFailure("no_speech")` when nothing was said.
 */
export async function publishTranscript(
  context: ServiceContext,
  names: Gazetteer,
  jobId: string,
): Promise<Publication> {
  return context.pool.transaction(async (transaction) => {
    const job = await lockJob(transaction, jobId);
    if (job === null || !isRunning(job.status)) return "ended";
    const { segments, engine } = await readRecognised(transaction, jobId);
    if (segments.length === 0) throw new MediaFailure("no_speech", "no chunk of the recording holds speech");
    const video = await readVideo(transaction, job.videoId);
    const durationSeconds = job.durationSeconds ?? video?.durationSeconds ?? 0;
    await insertTranscript(transaction, {
      videoId: job.videoId,
      jobId,
      language: job.language ?? video?.language ?? null,
      source: "speech",
      engine,
      durationSeconds,
      segments,
    });
    await indexVideo(transaction, names, {
      videoId: job.videoId,
      source: "speech",
      transcriptRevision: 1,
      segments: spokenSegments(await readAllSegments(transaction, job.videoId), []),
    });
    await insertUnlock(transaction, { accountId: job.accountId, videoId: job.videoId, rows: job.heldRows });
    await endJob(transaction, jobId, { status: "completed" });
    await settleRows(transaction, {
      accountId: job.accountId,
      period: job.heldPeriod,
      rows: 0,
      kind: "capture",
      reason: `transcription completed: ${job.heldRows} rows`,
      subject: jobId,
      requestId: job.requestId,
    });
    return "published";
  });
}
