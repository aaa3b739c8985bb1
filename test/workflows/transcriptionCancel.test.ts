import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { WorkflowFailedError } from "@temporalio/client";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { pino } from "pino";
import { z } from "zod";
import type { Caller } from "../../services/context.ts";
import { cancelTranscription } from "../../services/transcriptions/cancel.ts";
import { pollTranscription } from "../../services/transcriptions/poll.ts";
import { submitTranscription } from "../../services/transcriptions/submit.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { OutboxDispatcher } from "../../workers/outboxDispatcher.ts";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";
import type { transcription } from "../../workflows/transcription.ts";
import { transcriptionWorkflowId } from "../../domain/transcriptionJob.ts";
import { keepHistory } from "../builders/histories.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { ScriptedEngine } from "../builders/scriptedEngine.ts";
import { toneWav } from "../builders/toneWav.ts";
import { createNamespace, createTestInstallation, type TestInstallation } from "../builders/transcriptionWorkers.ts";

let environment: TestWorkflowEnvironment;
let context: TestContext;
let engine: ScriptedEngine;
let installation: TestInstallation;
let bundle: Awaited<ReturnType<typeof bundleWorkflows>>;
let caller: Caller;
let videoNumber = 0;
let videoId: string;

beforeAll(async () => {
  environment = await createNamespace();
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
  await installation.addMedia(videoId, toneWav(30));
});

const submit = () => context.pool.transaction((tx) => submitTranscription(context, tx, caller, { videoId }));
const cancel = () => context.pool.transaction((tx) => cancelTranscription(context, tx, caller, videoId));
const poll = () => pollTranscription(context, caller, videoId);
const handle = () => environment.client.workflow.getHandle<typeof transcription>(transcriptionWorkflowId(videoId));
const usedRows = async () => (await readUsage(context, caller.accountId)).rows_used;

/** The workers and the dispatcher, as an installation runs them. */
async function whileInstalled<T>(work: () => Promise<T>): Promise<T> {
  const logger = pino({ level: "silent" });
  const { client } = environment;
  const dispatcher = new OutboxDispatcher({ context, client, databaseUrl: context.databaseUrl, logger });
  try {
    return await installation.whileWorking(work);
  } finally {
    await dispatcher.stop();
    await installation.remove();
  }
}

/** Resolves when an engine has begun; chunks then take their time until they are told to stop. */
function slowEngine(): Promise<void> {
  const began = Promise.withResolvers<void>();
  engine.onRecognise = async (_, signal) => {
    began.resolve();
    await new Promise((resolve, reject) => {
      setTimeout(resolve, 20_000).unref();
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  };
  return began.promise;
}

/** What the workflow's page in Temporal UI shows. */
async function currentDetails(): Promise<string> {
  const metadata = z.object({ currentDetails: z.string() });
  return metadata.parse(await handle().query("__temporal_workflow_metadata")).currentDetails;
}

async function resultWhenStarted() {
  for (;;) {
    const described = await handle()
      .describe()
      .catch(() => null);
    if (described !== null) return handle().result();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("a transcription that is canceled", () => {
  it("through the API: is refunded at once, its engines are freed, and its workflow shows as canceled", async () => {
    const began = slowEngine();
    await whileInstalled(async () => {
      await submit();
      await began;
      expect(await cancel()).toMatchObject({ status: "canceled", cancelReason: "requested", rowsCharged: 0 });
      expect(await usedRows()).toBe(0);
      await expect(handle().result()).rejects.toBeInstanceOf(WorkflowFailedError);
      expect((await handle().describe()).status.name).toBe("CANCELLED");
      await keepHistory(environment, handle().workflowId, "transcription-canceled");
    });
    expect(await poll()).toMatchObject({ status: "canceled", rowsCharged: 0 });
    expect(await usedRows()).toBe(0);
  });

  it("before its workflow has started: never runs", async () => {
    await submit();
    await cancel();
    await whileInstalled(async () => {
      videoId = `other${videoId.slice(5)}`;
      await installation.addMedia(videoId, toneWav(4));
      await submit();
      await expect(resultWhenStarted()).resolves.toEqual({ outcome: "completed" });
    });
    expect(engine.calls).toBe(1);
  });

  it("by an operator in Temporal: is refunded and reads as canceled", async () => {
    const began = slowEngine();
    await whileInstalled(async () => {
      await submit();
      await began;
      expect(await currentDetails()).toMatch(/recognising.*0 of \d chunks recognised/s);
      await handle().cancel();
      await expect(handle().result()).rejects.toBeInstanceOf(WorkflowFailedError);
    });
    expect(await poll()).toMatchObject({ status: "canceled", cancelReason: "requested", rowsCharged: 0 });
    expect(await usedRows()).toBe(0);
  });

  it("and submitted again at once: the second job runs after the first has tidied up", async () => {
    const began = slowEngine();
    await whileInstalled(async () => {
      await submit();
      await began;
      await cancel();
      engine.onRecognise = async () => undefined;
      await submit();
      while ((await poll()).status !== "completed") await new Promise((resolve) => setTimeout(resolve, 50));
    });
    expect(await usedRows()).toBe(100);
  });
});
