import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { z } from "zod";
import { readCues } from "../../adapters/captions/readCues.ts";
import { count, sql } from "../../database/pool.ts";
import { importCaptions } from "../../services/captions/importCaptions.ts";
import { startProcess } from "../builders/childProcess.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createVideo } from "../builders/evidence.ts";
import { seededRandom } from "../builders/seededRandom.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";
import { eventually } from "../environment/startedSystem.ts";

jest.setTimeout(400_000);
const kills = 20;
const cuesPerVideo = 300;
let environment: TestWorkflowEnvironment;
let context: TestContext;
let home: string;
beforeAll(async () => {
  [environment, context, home] = await Promise.all([
    createNamespace(),
    createTestContext(),
    mkdtemp(path.join(tmpdir(), "media-index-worker-")),
  ]);
});
afterAll(async () => {
  await environment?.teardown();
  await context?.close();
  await rm(home, { recursive: true, force: true });
});

const startWorker = () =>
  startProcess("workers/main.ts", {
    DATABASE_URL: context.databaseUrl,
    MEDIA_INDEX_HOME: home,
    TEMPORAL_ADDRESS: environment.address,
    TEMPORAL_NAMESPACE: environment.namespace ?? "default",
  });

const minutes = (seconds: number) =>
  `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}.000`;
const { cues } = readCues(
  `WEBVTT\n\n${Array.from(
    { length: cuesPerVideo },
    (_, index) =>
      `${minutes(index * 2)} --> ${minutes(index * 2 + 2)}\nThen Ada Quillfeather spoke for the ${index}th time.\n`,
  ).join("\n")}`,
  "vtt",
);

const outcomeRow = z.object({ video_id: z.string(), status: z.string(), mentions: count, indexes: count });
const outcomes = () =>
  context.pool.any(sql.type(outcomeRow)`
    select scan.video_id, scan.status, (select count(*) from mention where mention.video_id = scan.video_id) as mentions,
      (select count(*) from video_index where video_index.video_id = scan.video_id) as indexes
    from scan order by scan.video_id`);

it(`indexes every video exactly once, with the worker killed at ${kills} moments of its work`, async () => {
  const random = seededRandom(7);
  const ada = await createEntity(context, { name: "Ada Quillfeather" });
  for (let round = 0; round < kills; round += 1) {
    for (let video = 0; video < 3; video += 1) {
      const videoId = await createVideo(context);
      await importCaptions(context, { videoId, cues });
    }
    const worker = await startWorker();
    await sleep(random() * 500);
    const ended = once(worker.child, "exit");
    worker.child.kill("SIGKILL");
    await ended;
    // Whenever it was killed, a video has all of its evidence or none.
    const halves = (await outcomes()).filter(({ mentions }) => mentions !== 0 && mentions !== cuesPerVideo);
    expect(halves).toEqual([]);
  }
  const last = await startWorker();
  const finished = await eventually(async () => {
    const all = await outcomes();
    return all.every(({ status }) => status === "completed") ? all : undefined;
  });
  last.child.kill("SIGKILL");
  expect(finished).toHaveLength(3 * kills);
  expect(finished.filter(({ mentions, indexes }) => mentions !== cuesPerVideo || indexes !== 1)).toEqual([]);
  const counted = await context.pool.oneFirst(sql.type(z.object({ count }))`
    select mention_count as count from entity where id = ${ada}`);
  expect(counted).toBe(3 * kills * cuesPerVideo);
});
