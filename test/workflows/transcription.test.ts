import { rm } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { readRunningJob } from "../../database/transcriptionJobs.ts";
import { MediaFailure } from "../../domain/failureReasons.ts";
import type { Caller } from "../../services/context.ts";
import { pollTranscription } from "../../services/transcriptions/poll.ts";
import { submitTranscription } from "../../services/transcriptions/submit.ts";
import { readAllSegments } from "../../database/transcriptParts.ts";
import { readTranscript } from "../../services/transcripts/read.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { startTranscriptionWorkflow } from "../../workers/transcriptionStarts.ts";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";
import type { transcription } from "../../workflows/transcription.ts";
import { transcriptionWorkflowId } from "../../domain/transcriptionJob.ts";
import { keepHistory } from "../builders/histories.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { historyText } from "../builders/readHistory.ts";
import { ScriptedEngine } from "../builders/scriptedEngine.ts";
import { toneWav } from "../builders/toneWav.ts";
import {
  createTestInstallation,
  registerSearchAttributes,
  type TestInstallation,
} from "../builders/transcriptionWorkers.ts";
import { startTimeSkippingServer } from "../environment/temporal.ts";

let environment: TestWorkflowEnvironment;
let context: TestContext;
let engine: ScriptedEngine;
let installation: TestInstallation;
let bundle: Awaited<ReturnType<typeof bundleWorkflows>>;
let caller: Caller;
let videoNumber = 0;
let videoId: string;

beforeAll(async () => {
  environment = await startTimeSkippingServer();
  await registerSearchAttributes(environment);
  context = await createTestContext({ settings: { transcription: { chunkMinSeconds: 5, chunkMaxSeconds: 5 } } });
  bundle = await bundleWorkflows();
});
afterAll(async () => {
  await environment?.teardown();
  await context?.close();
});
beforeEach(async () => {
  engine = new ScriptedEngine();
  installation = await createTestInstallation({ environment, bundle, context, engine });
  caller = await createCaller(context);
  videoNumber += 1;
  videoId = `video${String(videoNumber).padStart(6, "0")}`;
  return () => installation.remove();
});

/** Submits the video and starts its workflow, as the outbox would. */
async function submitAndStart(): Promise<void> {
  await context.pool.transaction((tx) => submitTranscription(context, tx, caller, { videoId }));
  const job = await readRunningJob(context.pool, videoId);
  if (job === null) throw new Error("no running job");
  expect(await startTranscriptionWorkflow(context.pool, context.settings, environment.client, job.jobId)).toBe(true);
}

const handle = () => environment.client.workflow.getHandle<typeof transcription>(transcriptionWorkflowId(videoId));
const usedRows = async () => (await readUsage(context, caller.accountId)).rows_used;
const segments = () => readAllSegments(context.pool, videoId);
const poll = () => pollTranscription(context, caller, videoId);

async function runToEnd() {
  return installation.whileWorking(async () => {
    await submitAndStart();
    return handle().result();
  });
}

describe("a transcription", () => {
  it("publishes every chunk in order and charges the blocks once", async () => {
    await installation.addMedia(videoId, toneWav(31));
    expect(await runToEnd()).toEqual({ outcome: "completed" });
    const transcript = await readTranscript(context, caller, videoId, { unlock: false });
    const starts = (await segments()).map((segment) => segment.startSeconds);
    expect(starts.length).toBeGreaterThan(4);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(transcript).toMatchObject({ access: "unlocked", revision: 1, seq: 0, durationSeconds: 31 });
    expect(engine.calls).toBe(starts.length);
    await keepHistory(environment, handle().workflowId, "transcription-completed");
    expect(await usedRows()).toBe(100);
  });

  it("shows the operator what it does, and carries neither text nor secret in its history", async () => {
    await installation.addMedia(videoId, toneWav(10));
    await runToEnd();
    const described = await handle().describe();
    expect(described.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value])).toEqual(
      expect.arrayContaining([
        ["MediaAccountId", caller.accountId],
        ["MediaVideoId", videoId],
        ["MediaStage", "done"],
      ]),
    );
    expect(await historyText(handle())).not.toContain("Heard from");
  });

  it("rides out an engine that is down for an hour", async () => {
    await installation.addMedia(videoId, toneWav(12));
    const startedAt = await environment.currentTimeMs();
    let now = startedAt;
    engine.outage = () => (now - startedAt < 3_600_000 ? "down" : "up");
    const result = await installation.whileWorking(async () => {
      await submitAndStart();
      const clock = setInterval(() => void environment.currentTimeMs().then((time) => (now = time)), 20);
      try {
        return await handle().result();
      } finally {
        clearInterval(clock);
      }
    });
    expect(result).toEqual({ outcome: "completed" });
    expect(await environment.currentTimeMs()).toBeGreaterThanOrEqual(startedAt + 3_600_000);
    await keepHistory(environment, handle().workflowId, "transcription-engine-outage");
    expect(await usedRows()).toBe(100);
  });

  it("gives up with engine_unavailable, and refunds, when the outage passes its limit", async () => {
    await installation.addMedia(videoId, toneWav(4));
    engine.outage = () => "down";
    expect(await runToEnd()).toEqual({ outcome: "failed", reason: "engine_unavailable" });
    expect(await poll()).toMatchObject({ status: "failed", failureReason: "engine_unavailable", rowsCharged: 0 });
    await keepHistory(environment, handle().workflowId, "transcription-engine-unavailable");
    expect(await usedRows()).toBe(0);
  });

  it("fails at once, loudly, when no engine is configured", async () => {
    await installation.addMedia(videoId, toneWav(4));
    engine.outage = () => "not configured";
    expect(await runToEnd()).toEqual({ outcome: "failed", reason: "engine_unavailable" });
    const { events } = await handle().fetchHistory();
    expect(events?.some((event) => event.timerStartedEventAttributes)).toBe(false);
    expect(await usedRows()).toBe(0);
  });

  it("recognises a chunk again only when it was not stored", async () => {
    await installation.addMedia(videoId, toneWav(20));
    let crashes = 3;
    engine.onRecognise = async () => {
      crashes -= 1;
      if (crashes >= 0) throw new Error("the engine's process fell over");
    };
    expect(await runToEnd()).toEqual({ outcome: "completed" });
    expect(engine.calls).toBe((await segments()).length + 3);
  });

  it.each([
    ["a missing file", null, "not_found"],
    ["silence", Buffer.concat([toneWav(1).subarray(0, 44), Buffer.alloc(320_000)]), "no_speech"],
    ["an empty file", Buffer.alloc(0), "download_failed"],
  ] as const)("fails with its typed reason on %s and refunds in full", async (_, media, reason) => {
    if (media !== null) await installation.addMedia(videoId, fixLengths(media));
    expect(await runToEnd()).toEqual({ outcome: "failed", reason });
    expect(await poll()).toMatchObject({ status: "failed", failureReason: reason, rowsCharged: 0 });
    await keepHistory(environment, handle().workflowId, "transcription-failed-media");
    expect(await usedRows()).toBe(0);
  });

  it("is canceled and refunded when the pool does not cover the real length", async () => {
    await installation.addMedia(videoId, toneWav(1000));
    caller = await createCaller(context, { rows: 150 });
    expect(await runToEnd()).toEqual({ outcome: "canceled", reason: "insufficient_rows" });
    expect(await poll()).toMatchObject({ status: "canceled", cancelReason: "insufficient_rows", rowsCharged: 0 });
    expect(engine.calls).toBe(0);
    await keepHistory(environment, handle().workflowId, "transcription-insufficient-rows");
  });

  it("takes over when the audio is gone, as on another host", async () => {
    await installation.addMedia(videoId, toneWav(12));
    let failed = false;
    engine.onRecognise = async ({ pcmPath }) => {
      if (failed) return;
      failed = true;
      await rm(pcmPath);
      throw new MediaFailure("engine_unavailable", "the host went away");
    };
    expect(await runToEnd()).toEqual({ outcome: "completed" });
  });
});

/** Makes the sizes in a WAV header those of its data. */
function fixLengths(wav: Buffer): Buffer {
  if (wav.length < 44) return wav;
  const fixed = Buffer.from(wav);
  fixed.writeUInt32LE(fixed.length - 8, 4);
  fixed.writeUInt32LE(fixed.length - 44, 40);
  return fixed;
}
