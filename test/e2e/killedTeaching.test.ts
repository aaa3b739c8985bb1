import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { acceptName, undoName } from "../../services/teaching/decide.ts";
import { readOffer } from "../../services/teaching/read.ts";
import { killProcess } from "../builders/childProcess.ts";
import { createCaller, type TestContext } from "../builders/context.ts";
import { seededRandom } from "../builders/seededRandom.ts";
import { correctionsMade, createMisheardName } from "../builders/taughtNames.ts";
import { createWorkerGround, type WorkerGround } from "../builders/workerProcess.ts";
import { eventually } from "../environment/startedSystem.ts";

jest.setTimeout(600_000);
const kills = 3;
const videos = 12;
let ground: WorkerGround;
let context: TestContext;
beforeAll(async () => {
  ground = await createWorkerGround();
  ({ context } = ground);
});
afterAll(() => ground?.close());

it(`corrects each place once, with the worker killed at ${kills} moments of it, and takes each back once`, async () => {
  const caller = await createCaller(context, { tier: "enterprise" });
  const scene = await createMisheardName(context, caller, videos);
  await scene.teach();
  const id = await scene.taughtId();
  const random = seededRandom(7);
  const steps = {
    carried: () =>
      context.pool.transaction((tx) => acceptName(tx, id, { withAlias: true, videoIds: null }, "key_reviewer")),
    undone: () => context.pool.transaction((tx) => undoName(tx, id)),
  };
  for (const end of ["carried", "undone"] as const) {
    await steps[end]();
    for (let round = 0; round < kills; round += 1) {
      const worker = await ground.startWorker();
      await sleep(random() * 500);
      await killProcess(worker);
    }
    const last = await ground.startWorker();
    await eventually(async () => (await readOffer(context, id)).name.status === end);
    await killProcess(last);
    const corrections = await correctionsMade(context, scene);
    expect(corrections).toHaveLength(videos);
    for (const [n, made] of corrections.entries()) {
      const places = n === 0 ? 1 : 2;
      expect(made).toEqual({ corrections: places, positions: places, withdrawn: end === "undone" ? places : 0 });
    }
  }
  for (const videoId of scene.videoIds.slice(1)) expect(await scene.texts(videoId)).toEqual(scene.said);
});
