import { storeChunk } from "../../database/transcriptionChunks.ts";
import { readRunningJob } from "../../database/transcriptionJobs.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import type { ServiceContext } from "../../services/context.ts";
import { planChunks } from "../../services/transcriptions/planChunks.ts";
import { publishTranscript } from "../../services/transcriptions/publish.ts";
import { recordDescription } from "../../services/transcriptions/settlePrice.ts";

/** Brings the video's running job to its end without an engine: two minutes with two segments. */
export async function finishTranscript(
  context: ServiceContext,
  videoId: string,
  names: Gazetteer = new Gazetteer(),
): Promise<void> {
  const job = await readRunningJob(context.pool, videoId);
  if (job === null) throw new Error("the job is not running");
  const media = {
    videoId,
    title: "A title",
    channel: { id: "ch", name: "Channel" },
    publishedAt: null,
    language: "en",
    durationSeconds: 120,
  };
  await recordDescription(context, job.jobId, media, "folder");
  await planChunks(context, job.jobId, [{ startSeconds: 0, endSeconds: 120 }]);
  const word = { text: "hello", startSeconds: 0.5, endSeconds: 0.9, confidence: 0.8 };
  const segments = [
    { text: "hello world", startSeconds: 0.5, endSeconds: 1.5, confidence: 0.9, words: [word] },
    { text: "R&B <later>", startSeconds: 60, endSeconds: 61.25, confidence: 0.9, words: [] },
  ];
  await storeChunk(context.pool, { jobId: job.jobId, index: 0, segments, engineSeconds: 1, engine: "test" });
  await publishTranscript(context, names, job.jobId);
}
