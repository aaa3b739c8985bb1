import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { nameTeachingWorkflowId } from "../../domain/teaching/states.ts";
import { acceptName, undoName } from "../../services/teaching/decide.ts";
import { readOffer } from "../../services/teaching/read.ts";
import { startProcess } from "../builders/childProcess.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { seededRandom } from "../builders/seededRandom.ts";
import { correctionsMade, createMisheardName } from "../builders/taughtNames.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";
import { eventually } from "../environment/startedSystem.ts";

jest.setTimeout(600_000);
const kills = 3;
const videos = 12;
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

async function kill({ child }: Awaited<ReturnType<typeof startWorker>>): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

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
      const worker = await startWorker();
      await sleep(random() * 500);
      await kill(worker);
    }
    // What a killed worker had in hand is only given up when its time is over; a run of its own does not wait for that.
    const run = environment.client.workflow.getHandle(nameTeachingWorkflowId(id));
    await run.terminate("its worker was killed").catch(() => undefined);
    const last = await startWorker();
    await steps[end]();
    await eventually(async () => (await readOffer(context, id)).name.status === end);
    await kill(last);
    const corrections = await correctionsMade(context, scene);
    expect(corrections).toHaveLength(videos);
    for (const [n, made] of corrections.entries()) {
      const places = n === 0 ? 1 : 2;
      expect(made).toEqual({ corrections: places, positions: places, withdrawn: end === "undone" ? places : 0 });
    }
  }
  for (const videoId of scene.videoIds.slice(1)) expect(await scene.texts(videoId)).toEqual(scene.said);
});
