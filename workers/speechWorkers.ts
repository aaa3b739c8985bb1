import path from "node:path";
import { Worker } from "@temporalio/worker";
import { createMediaActivities } from "../activities/media.ts";
import { createScanMediaActivities } from "../activities/scanMedia.ts";
import { createScanSpeechActivities } from "../activities/scanSpeech.ts";
import { createSpeechActivities } from "../activities/speech.ts";
import { createMediaSource } from "../adapters/media/createMediaSource.ts";
import { createSpeechEngine } from "../adapters/speech/createSpeechEngine.ts";
import { createAudioStore } from "../adapters/audio/audioStore.ts";
import { createAudioDecoder } from "../adapters/audio/ffmpeg.ts";
import { readRunningScanIds } from "../database/scans.ts";
import { readRunningJobIds } from "../database/transcriptionJobs.ts";
import { scanAudioId } from "../domain/scan.ts";
import { taskQueues } from "../workflows/taskQueues.ts";
import { watchEngine } from "./engineWatch.ts";
import type { BuiltWorkers, WorkerParts } from "./run.ts";

/** The workers on a host with recordings and speech engines. */
export async function createSpeechWorkers({
  configuration,
  context,
  connection,
  logger,
}: WorkerParts): Promise<BuiltWorkers> {
  const decoder = createAudioDecoder(configuration.FFMPEG);
  const pythonPath = configuration.PYTHON ?? "python3";
  const source = createMediaSource(configuration, { decoder, pythonPath });
  const engine = createSpeechEngine(configuration, pythonPath);
  const { maxDurationSeconds } = context.settings.transcription;
  const audio = createAudioStore({
    folder: path.join(configuration.home, "work"),
    source,
    decoder,
    maxDurationSeconds,
  });
  const scanIds = (await readRunningScanIds(context.pool)).map((videoId) => scanAudioId(videoId));
  await audio.discardAllBut(new Set([...(await readRunningJobIds(context.pool)), ...scanIds]));
  const mediaParts = { context, source, audio, engineProcesses: engine.parallelism };
  const speechParts = { context, engine, audio };
  const worker = {
    connection,
    namespace: configuration.TEMPORAL_NAMESPACE,
    shutdownGraceTime: "5 seconds",
    maxHeartbeatThrottleInterval: "1 second",
  } as const;
  const watch = watchEngine(engine, logger);
  return {
    workers: [
      await Worker.create({
        ...worker,
        taskQueue: taskQueues.media,
        activities: { ...createMediaActivities(mediaParts), ...createScanMediaActivities(mediaParts) },
        maxConcurrentActivityTaskExecutions: 2,
      }),
      await Worker.create({
        ...worker,
        taskQueue: taskQueues.speech,
        activities: { ...createSpeechActivities(speechParts), ...createScanSpeechActivities(speechParts) },
        maxConcurrentActivityTaskExecutions: engine.parallelism,
      }),
    ],
    engineState: watch.state,
    close: async () => {
      watch.stop();
      await engine.close();
    },
  };
}
