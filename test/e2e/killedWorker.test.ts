import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client, Connection } from "@temporalio/client";
import { makeRecording } from "../../bench/audio/recording.ts";
import { wordErrorRate } from "../../domain/wordErrorRate.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { transcriptionWorkflowId } from "../../domain/transcriptionJob.ts";
import { hasEnded, Installation } from "../builders/installation.ts";
import { runningParts } from "../environment/startedSystem.ts";

jest.setTimeout(300_000);
const engineProcesses = 2;
const videoId = "ten-minutes";
let installation: Installation;
beforeAll(async () => {
  installation = await Installation.start({ SPEECH_PROCESSES: String(engineProcesses) });
});
afterAll(() => installation?.stop());

it("finishes a 10-minute job whose speech worker is killed in the middle, redoing a chunk per engine at most, charged once", async () => {
  const recording = await makeRecording(600, path.join(tmpdir(), "media-index-recordings"));
  await installation.addMedia(videoId, recording.path);
  const { accountId, key } = await installation.createKey();
  await installation.submit(key, videoId);
  await installation.waitFor(key, videoId, (job) => job.progress > 0.3);

  const worker = runningParts(installation.where.home).speech;
  if (worker === undefined) throw new Error("no speech worker is running");
  process.kill(worker.pid, "SIGKILL");
  expect(await installation.waitFor(key, videoId, hasEnded)).toMatchObject({ status: "completed", rowsCharged: 100 });

  const { segments } = await installation.readTranscript(key, videoId);
  const spoken = recording.utterances.map((utterance) => utterance.text).join(" ");
  expect(wordErrorRate(spoken, segments.map((segment) => segment.text).join(" "))).toBeLessThanOrEqual(0.06);
  const starts = segments.map((segment) => segment.startSeconds);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));

  const { chunks, attempts } = await countChunkAttempts();
  expect(attempts).toBeGreaterThan(chunks);
  expect(attempts - chunks).toBeLessThanOrEqual(engineProcesses);
  expect((await readUsage(installation.context, accountId)).rows_used).toBe(100);
});

/** What the workflow's history says of its chunks: how many there were, and how often one was begun in all. */
async function countChunkAttempts(): Promise<{ chunks: number; attempts: number }> {
  const connection = await Connection.connect({ address: installation.running.temporalAddress });
  try {
    const handle = new Client({ connection }).workflow.getHandle(transcriptionWorkflowId(videoId));
    const { events } = await handle.fetchHistory();
    const chunkEvents = new Set(
      events?.flatMap((event) =>
        event.activityTaskScheduledEventAttributes?.activityType?.name === "recogniseChunk"
          ? [String(event.eventId)]
          : [],
      ),
    );
    const attempts = events?.flatMap(({ activityTaskStartedEventAttributes: started }) =>
      started && chunkEvents.has(String(started.scheduledEventId)) ? [started.attempt ?? 0] : [],
    );
    return { chunks: chunkEvents.size, attempts: (attempts ?? []).reduce((sum, attempt) => sum + attempt, 0) };
  } finally {
    await connection.close();
  }
}
