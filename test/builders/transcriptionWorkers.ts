import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "@temporalio/client";
import { msToTs } from "@temporalio/common/lib/time.js";
import { TestWorkflowEnvironment } from "@temporalio/testing";
import {
  DefaultLogger,
  makeTelemetryFilterString,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from "@temporalio/worker";
import { createMediaActivities } from "../../activities/media.ts";
import { createScanActivities } from "../../activities/scan.ts";
import { createScanMediaActivities } from "../../activities/scanMedia.ts";
import { createScanSpeechActivities } from "../../activities/scanSpeech.ts";
import { createSpeechActivities } from "../../activities/speech.ts";
import { createTranscriptionJobActivities } from "../../activities/transcriptionJob.ts";
import { createAudioStore } from "../../adapters/audio/audioStore.ts";
import { createAudioDecoder } from "../../adapters/audio/ffmpeg.ts";
import { createFolderSource } from "../../adapters/media/folderSource.ts";
import type { MediaSource } from "../../domain/media.ts";
import type { SpeechEngine } from "../../domain/speech.ts";
import type { ServiceContext } from "../../services/context.ts";
import type { IndexScannedVideo } from "../../services/scans/indexScan.ts";
import { taskQueues } from "../../workflows/taskQueues.ts";
import { temporalAddress } from "../environment/temporal.ts";
import { searchAttributes } from "../../workflows/searchAttributes.ts";

// Failures that a test provokes are not news.
Runtime.install({
  logger: new DefaultLogger("ERROR"),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: "ERROR", other: "ERROR" }) } },
});

/** Makes the product's search attributes known to a Temporal server. */
export async function registerSearchAttributes(environment: TestWorkflowEnvironment): Promise<void> {
  const keyword = 2;
  await environment.connection.operatorService.addSearchAttributes({
    namespace: environment.namespace ?? "default",
    searchAttributes: Object.fromEntries(Object.values(searchAttributes).map((key) => [key.name, keyword])),
  });
}

/** A namespace of one's own on the shared real server, with the product's search attributes. */
export async function createNamespace(): Promise<TestWorkflowEnvironment> {
  const namespace = `test-${randomUUID()}`;
  const address = temporalAddress();
  const registrar = await Connection.connect({ address });
  await registrar.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs("1 day") });
  await registrar.close();
  const environment = await TestWorkflowEnvironment.createFromExistingServer({ address, namespace });
  await retryUntilKnown(() => registerSearchAttributes(environment));
  await retryUntilKnown(() => environment.client.workflow.count("MediaStage = 'any'"));
  return environment;
}

/** A new namespace, and its attributes, take the server a moment to see everywhere. */
async function retryUntilKnown(step: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await step();
      return;
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(100);
    }
  }
}

export interface TestInstallation {
  mediaFolder: string;
  /** Puts a recording into the media folder. */
  addMedia(videoId: string, wav: Buffer): Promise<void>;
  /** Runs `work` while all workers of a transcription run in this process. */
  whileWorking<T>(work: () => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

/** The product's own activities and workflows over a media folder, with the engine of the test's choice. */
export async function createTestInstallation(parts: {
  environment: TestWorkflowEnvironment;
  bundle: WorkflowBundleWithSourceMap;
  context: ServiceContext;
  engine: SpeechEngine;
  /** Stands before the media folder, for failures that a folder cannot be made to have. */
  wrapSource?: (source: MediaSource) => MediaSource;
  indexVideo?: IndexScannedVideo;
}): Promise<TestInstallation> {
  const { environment, bundle, context, engine } = parts;
  const folder = await mkdtemp(path.join(tmpdir(), "media-index-test-"));
  const decoder = createAudioDecoder();
  const folderSource = createFolderSource(folder, decoder);
  const now = () => parts.wrapSource?.(folderSource) ?? folderSource;
  const source: MediaSource = {
    name: folderSource.name,
    describe: (...told) => now().describe(...told),
    fetchAudio: (...told) => now().fetchAudio(...told),
    captions: (...told) => now().captions(...told),
    channelVideos: (...told) => now().channelVideos(...told),
  };
  const { maxDurationSeconds } = context.settings.transcription;
  const audio = createAudioStore({ folder: path.join(folder, "work"), source, decoder, maxDurationSeconds });
  const mediaParts = { context, source, audio, engineProcesses: engine.parallelism };
  const common = { connection: environment.nativeConnection, namespace: environment.namespace ?? "default" };
  return {
    mediaFolder: folder,
    addMedia: (videoId, wav) => writeFile(path.join(folder, `${videoId}.wav`), wav),
    whileWorking: async (work) => {
      const speech = await Worker.create({
        ...common,
        taskQueue: taskQueues.speech,
        activities: {
          ...createSpeechActivities({ context, engine, audio }),
          ...createScanSpeechActivities({ context, engine, audio }),
        },
        maxHeartbeatThrottleInterval: "100 milliseconds",
      });
      const media = await Worker.create({
        ...common,
        taskQueue: taskQueues.media,
        activities: { ...createMediaActivities(mediaParts), ...createScanMediaActivities(mediaParts) },
      });
      const workflows = await Worker.create({
        ...common,
        taskQueue: taskQueues.workflows,
        workflowBundle: bundle,
        activities: {
          ...createTranscriptionJobActivities({ context }),
          ...createScanActivities({ context, indexVideo: parts.indexVideo ?? null }),
        },
      });
      return speech.runUntil(media.runUntil(workflows.runUntil(work())));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
