import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { createLocalEngine } from "../adapters/speech/localEngine.ts";
import { ensureTools } from "../cli/start/tools.ts";
import { chunkTargetSeconds } from "../domain/chunkLength.ts";
import { wordErrorRate } from "../domain/wordErrorRate.ts";
import { hasEnded, Installation } from "../test/builders/installation.ts";
import { runningParts } from "../test/environment/startedSystem.ts";
import { testSettings } from "../test/builders/settings.ts";
import { bareEngine, unchunkedEngine } from "./audio/bareEngine.ts";
import { makeRecording, type Recording } from "./audio/recording.ts";
import { watchPeak } from "./memory.ts";

/** A whole file in one call needs gigabytes beyond this length. */
const longestUnchunkedMinutes = 10;
const recordings = path.join(tmpdir(), "media-index-recordings");

export interface TranscriptionBenchOptions {
  minutes: readonly number[];
  /** Whether the bare engine runs as well. */
  floor: boolean;
}

/**
 * Wall time of the job, from POST to `completed`, against the bare engine: the same spans fed to the same number of engine processes
 * without workflow or database, before and after the job; for short files also against no chunks at all. Memory is that of the speech
 * worker with its engines.
 */
export async function benchTranscription({ minutes, floor }: TranscriptionBenchOptions): Promise<void> {
  const processes = availableParallelism();
  const { python } = await ensureTools(path.resolve(".media-index"), { log: (line) => console.error(line) });
  const work = await mkdtemp(path.join(tmpdir(), "media-index-bench-"));
  const installation = await Installation.start({ SPEECH_PROCESSES: String(processes) });
  try {
    const { key } = await installation.createKey("enterprise");
    for (const length of minutes) {
      const recording = await makeRecording(length * 60, recordings);
      const bare = () => runBare(recording, processes, python, work);
      const before = floor ? await bare() : null;
      const job = await runJob(installation, key, `bench${String(length).padStart(6, "0")}`, recording);
      const after = floor ? await bare() : null;
      const unchunked =
        floor && length <= longestUnchunkedMinutes
          ? await unchunkedEngine(recording.path, processes, python, work)
          : null;
      const floorSeconds = before === null || after === null ? null : (before + after) / 2;
      console.log(`\n${length} minutes of speech, ${processes} engine processes`);
      console.table({
        "job, POST to completed": { seconds: job.seconds.toFixed(1), ratio: "" },
        ...(floorSeconds !== null && {
          "bare engine, same chunks": {
            seconds: floorSeconds.toFixed(1),
            ratio: (job.seconds / floorSeconds).toFixed(3),
          },
        }),
        ...(unchunked !== null && {
          "bare engine, no chunks": {
            seconds: unchunked.wallSeconds.toFixed(1),
            ratio: (job.seconds / unchunked.wallSeconds).toFixed(3),
          },
        }),
      });
      console.log(
        `peak memory of the speech worker with its engines: ${(job.peakBytes / 1e6).toFixed(0)} MB; word error rate ${(job.errorRate * 100).toFixed(1)} %`,
      );
    }
  } finally {
    await installation.stop();
    await rm(work, { recursive: true, force: true });
  }
}

async function runBare(recording: Recording, processes: number, python: string, work: string): Promise<number> {
  const engine = createLocalEngine({ pythonPath: python, model: "bundled", processes });
  try {
    await engine.ready();
    const target = chunkTargetSeconds(recording.durationSeconds, processes, testSettings().transcription);
    return (await bareEngine(recording.path, engine, target, work)).wallSeconds;
  } finally {
    await engine.close();
  }
}

async function runJob(installation: Installation, key: string, videoId: string, recording: Recording) {
  await installation.addMedia(videoId, recording.path);
  const worker = runningParts(installation.where.home).speech;
  if (worker === undefined) throw new Error("no speech worker is running");
  const memory = watchPeak(worker.pid);
  const from = performance.now();
  await installation.submit(key, videoId);
  const job = await installation.waitFor(key, videoId, hasEnded, 200);
  const seconds = (performance.now() - from) / 1000;
  if (job.status !== "completed") throw new Error(`the job ${job.status}: ${job.failureReason}`);
  const { segments } = await installation.readTranscript(key, videoId);
  const spoken = recording.utterances.map((utterance) => utterance.text).join(" ");
  const errorRate = wordErrorRate(spoken, segments.map((segment) => segment.text).join(" "));
  return { seconds, peakBytes: memory.stop(), errorRate };
}
