import { storeChunk } from "../../database/transcriptionChunks.ts";
import { readRunningJob } from "../../database/transcriptionJobs.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import type { RecognisedSegment } from "../../domain/speech.ts";
import type { Caller, ServiceContext } from "../../services/context.ts";
import { planChunks } from "../../services/transcriptions/planChunks.ts";
import { publishTranscript } from "../../services/transcriptions/publish.ts";
import { recordDescription } from "../../services/transcriptions/settlePrice.ts";
import { submitTranscription } from "../../services/transcriptions/submit.ts";

/** What was recognised in a recording. */
export interface Recognised {
  durationSeconds: number;
  segments: readonly RecognisedSegment[];
}

const twoSegments: Recognised = {
  durationSeconds: 120,
  segments: [
    {
      text: "hello world",
      startSeconds: 0.5,
      endSeconds: 1.5,
      confidence: 0.9,
      words: [{ text: "hello", startSeconds: 0.5, endSeconds: 0.9, confidence: 0.8 }],
    },
    { text: "R&B <later>", startSeconds: 60, endSeconds: 61.25, confidence: 0.9, words: [] },
  ],
};

/** Brings the video's running job to its end without an engine; unless said otherwise, two minutes with two segments. */
export async function finishTranscript(
  context: ServiceContext,
  videoId: string,
  names: Gazetteer = new Gazetteer(),
  { durationSeconds, segments }: Recognised = twoSegments,
): Promise<void> {
  const job = await readRunningJob(context.pool, videoId);
  if (job === null) throw new Error("the job is not running");
  const media = {
    videoId,
    title: "A title",
    channel: { id: "ch", name: "Channel" },
    publishedAt: null,
    language: "en",
    durationSeconds,
  };
  await recordDescription(context, job.jobId, media, "folder");
  await planChunks(context, job.jobId, [{ startSeconds: 0, endSeconds: durationSeconds }]);
  await storeChunk(context.pool, {
    jobId: job.jobId,
    index: 0,
    segments: [...segments],
    engineSeconds: 1,
    engine: "test",
  });
  await publishTranscript(context, names, job.jobId);
}

/** Has a video transcribed on the caller's account; returns its id. */
export async function createTranscript(
  context: ServiceContext,
  caller: Caller,
  { videoId, names, ...recognised }: Recognised & { videoId: string; names?: Gazetteer },
): Promise<string> {
  await context.pool.transaction((transaction) => submitTranscription(context, transaction, caller, { videoId }));
  await finishTranscript(context, videoId, names, recognised);
  return videoId;
}
