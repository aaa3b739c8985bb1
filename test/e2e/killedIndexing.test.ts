import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { z } from "zod";
import { readCues } from "../../adapters/captions/readCues.ts";
import { count, sql } from "../../database/pool.ts";
import { importCaptions } from "../../services/captions/importCaptions.ts";
import { killProcess } from "../builders/childProcess.ts";
import { createEntity, type TestContext } from "../builders/context.ts";
import { createVideo } from "../builders/evidence.ts";
import { seededRandom } from "../builders/seededRandom.ts";
import { createWorkerGround, type WorkerGround } from "../builders/workerProcess.ts";
import { eventually } from "../environment/startedSystem.ts";

jest.setTimeout(400_000);
const kills = 20;
const cuesPerVideo = 300;
let ground: WorkerGround;
let context: TestContext;
beforeAll(async () => {
  ground = await createWorkerGround();
  ({ context } = ground);
});
afterAll(() => ground?.close());

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
    const worker = await ground.startWorker();
    await sleep(random() * 500);
    await killProcess(worker);
    // Whenever it was killed, a video has all of its evidence or none.
    const halves = (await outcomes()).filter(({ mentions }) => mentions !== 0 && mentions !== cuesPerVideo);
    expect(halves).toEqual([]);
  }
  const last = await ground.startWorker();
  const finished = await eventually(async () => {
    const all = await outcomes();
    return all.every(({ status }) => status === "completed") ? all : undefined;
  });
  await killProcess(last);
  expect(finished).toHaveLength(3 * kills);
  expect(finished.filter(({ mentions, indexes }) => mentions !== cuesPerVideo || indexes !== 1)).toEqual([]);
  const counted = await context.pool.oneFirst(sql.type(z.object({ count }))`
    select mention_count as count from entity where id = ${ada}`);
  expect(counted).toBe(3 * kills * cuesPerVideo);
});
