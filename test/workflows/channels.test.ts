import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { ScheduleNotFoundError, WorkflowFailedError } from "@temporalio/client";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { pino } from "pino";
import { z } from "zod";
import { listFollowedChannels } from "../../database/followedChannels.ts";
import { insertOutbox } from "../../database/outbox.ts";
import { count, sql } from "../../database/pool.ts";
import { readScan } from "../../database/scans.ts";
import { MediaFailure } from "../../domain/failureReasons.ts";
import type { MediaSource } from "../../domain/media.ts";
import { followChannel, unfollowChannel } from "../../services/channels/follow.ts";
import { recordPoll } from "../../services/channels/recordPoll.ts";
import { requestScans } from "../../services/scans/requestScans.ts";
import { ensureChannelSchedules } from "../../workers/channelSchedules.ts";
import { OutboxDispatcher } from "../../workers/outboxDispatcher.ts";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";
import type { channelPoll } from "../../workflows/channelPoll.ts";
import { channelScheduleId } from "../../workflows/channelPollId.ts";
import type { preliminaryScan } from "../../workflows/preliminaryScan.ts";
import { scanWorkflowId } from "../../workflows/scanId.ts";
import { createTestContext, type TestContext } from "../builders/context.ts";
import { keepHistory } from "../builders/histories.ts";
import { ScriptedEngine } from "../builders/scriptedEngine.ts";
import { toneWav } from "../builders/toneWav.ts";
import { createNamespace, createTestInstallation, type TestInstallation } from "../builders/transcriptionWorkers.ts";

let environment: TestWorkflowEnvironment;
let context: TestContext;
let bundle: Awaited<ReturnType<typeof bundleWorkflows>>;
let engine: ScriptedEngine;
let installation: TestInstallation;
let wrapSource: (source: MediaSource) => MediaSource;
let channelNumber = 0;
let channelId: string;

beforeAll(async () => {
  [environment, context, bundle] = await Promise.all([
    createNamespace(),
    createTestContext({ settings: { channels: { scannedWhenFollowed: 2 } } }),
    bundleWorkflows(),
  ]);
});
afterAll(async () => {
  await environment?.teardown();
  await context?.close();
});
beforeEach(async () => {
  engine = new ScriptedEngine();
  wrapSource = (source) => source;
  installation = await createTestInstallation({
    environment,
    bundle,
    context,
    engine,
    wrapSource: (source) => wrapSource(source),
    indexVideo: async () => undefined,
  });
  channelNumber += 1;
  channelId = `UC-channel-${channelNumber}`;
  return () => installation.remove();
});

const videoOf = (number: number) => `chan${channelNumber}-vid${String(number).padStart(2, "0")}`;

/** Publishes a video with captions on the channel; the higher the number, the newer. */
async function publish(number: number): Promise<string> {
  const videoId = videoOf(number);
  const companion = {
    title: `Video ${number}`,
    channel: { id: channelId, name: "Channel" },
    publishedAt: new Date(Date.UTC(2026, 0, number)).toISOString(),
  };
  await installation.addMedia(videoId, toneWav(2));
  await writeFile(path.join(installation.mediaFolder, `${videoId}.json`), JSON.stringify(companion));
  await writeFile(path.join(installation.mediaFolder, `${videoId}.vtt`), "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n");
  return videoId;
}

/** The workers and the dispatcher, as an installation runs them. */
async function whileInstalled<T>(work: () => Promise<T>): Promise<T> {
  const logger = pino({ level: "silent" });
  const { client } = environment;
  const dispatcher = new OutboxDispatcher({ context, client, databaseUrl: context.databaseUrl, logger });
  try {
    return await installation.whileWorking(work);
  } finally {
    await dispatcher.stop();
  }
}

const schedule = () => environment.client.schedule.getHandle(channelScheduleId(channelId));

async function describeSchedule() {
  try {
    return await schedule().describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

/** The schedule's run of that number, from 1, when it has ended. */
async function pollResult(number: number) {
  for (;;) {
    const actions = (await describeSchedule())?.info.recentActions ?? [];
    const run = actions[number - 1];
    if (run?.action.type === "startWorkflow") {
      const { workflowId } = run.action.workflow;
      return {
        workflowId,
        result: await environment.client.workflow.getHandle<typeof channelPoll>(workflowId).result(),
      };
    }
    await sleep(50);
  }
}

async function scanned(videoId: string): Promise<void> {
  while ((await readScan(context.pool, videoId))?.status !== "completed") await sleep(50);
}

/** How often a workflow was started for the video's scan. */
async function scanRuns(videoId: string): Promise<number> {
  const handle = environment.client.workflow.getHandle<typeof preliminaryScan>(scanWorkflowId(videoId));
  await handle.result();
  let runs = 0;
  for await (const _ of environment.client.workflow.list({ query: `WorkflowId = '${scanWorkflowId(videoId)}'` }))
    runs += 1;
  return runs;
}

const outboxSize = () => context.pool.oneFirst(sql.type(z.object({ count }))`select count(*) from outbox`);

describe("a followed channel", () => {
  it("is looked at at once: what is there is recorded, the newest few are scanned; then each new video is, once", async () => {
    for (const number of [1, 2, 3, 4]) await publish(number);
    await whileInstalled(async () => {
      await followChannel(context, channelId, 3600);
      const first = await pollResult(1);
      expect(first.result).toEqual({ outcome: "polled", newVideos: 4, scansStarted: 2 });
      await keepHistory(environment, first.workflowId, "channel-poll");
      await scanned(videoOf(4));
      await scanned(videoOf(3));
      expect(await readScan(context.pool, videoOf(2))).toBeNull();

      await schedule().trigger();
      expect((await pollResult(2)).result).toEqual({ outcome: "polled", newVideos: 0, scansStarted: 0 });
      const fifth = await publish(5);
      await schedule().trigger();
      expect((await pollResult(3)).result).toEqual({ outcome: "polled", newVideos: 1, scansStarted: 1 });
      await scanned(fifth);
      expect(await scanRuns(fifth)).toBe(1);
      expect(await scanRuns(videoOf(4))).toBe(1);
    });
  });

  it("keeps one schedule, whose pace follows the command and whose pause the operator", async () => {
    await whileInstalled(async () => {
      await followChannel(context, channelId, 3600);
      await pollResult(1);
      await schedule().pause("too many");
      await followChannel(context, channelId, 7200);
      while ((await describeSchedule())?.spec.intervals?.[0]?.every !== 7_200_000) await sleep(50);
      expect((await describeSchedule())?.state).toMatchObject({ paused: true, note: "too many" });
      await unfollowChannel(context, channelId);
      while ((await describeSchedule()) !== null) await sleep(50);
      expect(await listFollowedChannels(context.pool)).not.toContainEqual(expect.objectContaining({ channelId }));
    });
  });

  it("gets its schedule back on a Temporal that has lost it", async () => {
    await whileInstalled(async () => {
      await followChannel(context, channelId, 3600);
      await pollResult(1);
      await schedule().delete();
      await Promise.all([1, 2, 3].map(() => ensureChannelSchedules(context.pool, environment.client)));
      expect(await describeSchedule()).not.toBeNull();
    });
  });

  it("whose feed is gone for good tells why, and goes on being looked at", async () => {
    wrapSource = (source) => ({
      ...source,
      channelVideos: () => Promise.reject(new MediaFailure("not_found", "no such channel")),
    });
    await whileInstalled(async () => {
      await followChannel(context, channelId, 3600);
      expect((await pollResult(1)).result).toEqual({ outcome: "failed", reason: "not_found" });
      expect((await describeSchedule())?.state.paused).toBe(false);
      wrapSource = (source) => source;
      await schedule().trigger();
      expect((await pollResult(2)).result).toMatchObject({ outcome: "polled" });
    });
  });

  it("has each video scanned once, however many polls find it at once and however often Temporal is told", async () => {
    const videoIds = await Promise.all([1, 2].map((number) => publish(number)));
    await followChannel(context, channelId, 3600);
    const polls = await Promise.all(Array.from({ length: 8 }, () => recordPoll(context, channelId, videoIds)));
    expect(polls.map((poll) => poll?.scansStarted ?? 0).reduce((sum, started) => sum + started)).toBe(2);
    for (const videoId of videoIds) await insertOutbox(context.pool, "scan.start", videoId);
    await whileInstalled(async () => {
      for (const videoId of videoIds) {
        await scanned(videoId);
        // As after a crash between telling Temporal and forgetting the message.
        await insertOutbox(context.pool, "scan.start", videoId);
      }
      while ((await outboxSize()) > 0) await sleep(50);
      for (const videoId of videoIds) expect(await scanRuns(videoId)).toBe(1);
    });
  });

  it("that is not followed any more records nothing", async () => {
    expect(await recordPoll(context, channelId, [videoOf(1)])).toBeNull();
  });
});

describe("a scan that an operator cancels in Temporal", () => {
  it("ends, reads as canceled, and can be asked for again", async () => {
    const videoId = videoOf(1);
    await installation.addMedia(videoId, toneWav(30));
    const began = Promise.withResolvers<void>();
    engine.onRecognise = async (_, signal) => {
      began.resolve();
      await new Promise((resolve, reject) => {
        setTimeout(resolve, 20_000).unref();
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    };
    const handle = environment.client.workflow.getHandle<typeof preliminaryScan>(scanWorkflowId(videoId));
    await whileInstalled(async () => {
      await requestScans(context, [videoId]);
      await began.promise;
      const metadata = z.object({ currentDetails: z.string() });
      const { currentDetails } = metadata.parse(await handle.query("__temporal_workflow_metadata"));
      expect(currentDetails).toMatch(/listening.*0 of \d chunks heard/s);
      await handle.cancel();
      await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
      expect(await readScan(context.pool, videoId)).toMatchObject({ status: "canceled", run: 1 });
      engine.onRecognise = async () => undefined;
      await requestScans(context, [videoId]);
      await scanned(videoId);
      expect(await readScan(context.pool, videoId)).toMatchObject({ run: 2, source: "speech" });
    });
  });
});

describe("the outbox", () => {
  it("lets messages through behind many that are refused", async () => {
    const refused = Array.from({ length: 60 }, (_, number) => `refused--${String(number).padStart(2, "0")}`);
    const { client } = environment;
    // Each is held by a workflow that is not the one that was asked for.
    await Promise.all(
      refused.map((videoId) =>
        client.workflow.start("preliminaryScan", {
          workflowId: scanWorkflowId(videoId),
          taskQueue: "nobody",
          memo: { run: 99 },
        }),
      ),
    );
    await requestScans(context, refused);
    const behind = await publish(1);
    await requestScans(context, [behind]);
    await whileInstalled(() => scanned(behind));
    expect(await outboxSize()).toBe(60);
    await context.pool.query(sql.typeAlias("void")`delete from outbox`);
  });
});
