import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker } from "@temporalio/worker";
import { pino } from "pino";
import { z } from "zod";
import { createTeachingActivities } from "../../activities/teaching.ts";
import { sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { nameTeachingWorkflowId } from "../../domain/teaching/states.ts";
import type { Caller } from "../../services/context.ts";
import { acceptName, undoName } from "../../services/teaching/decide.ts";
import { readOffer } from "../../services/teaching/read.ts";
import { OutboxDispatcher } from "../../workers/outboxDispatcher.ts";
import { startNameTeaching } from "../../workers/teachingStarts.ts";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";
import { taskQueues } from "../../workflows/taskQueues.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { historyText } from "../builders/readHistory.ts";
import { keepHistory } from "../builders/histories.ts";
import { correctionsMade, createMisheardName, type MisheardName } from "../builders/taughtNames.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";
import { eventually } from "../environment/startedSystem.ts";

let environment: TestWorkflowEnvironment;
let context: TestContext;
let caller: Caller;
let bundle: Awaited<ReturnType<typeof bundleWorkflows>>;
beforeAll(async () => {
  [environment, context, bundle] = await Promise.all([createNamespace(), createTestContext(), bundleWorkflows()]);
  caller = await createCaller(context, { tier: "enterprise" });
});
afterAll(async () => {
  await environment?.teardown();
  await context?.close();
});

type Activities = ReturnType<typeof createTeachingActivities>;

/** Runs `work` beside the worker and the dispatcher of the outbox. */
async function whileWorking<T>(work: () => Promise<T>, activities?: Partial<Activities>): Promise<T> {
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    namespace: environment.namespace ?? "default",
    taskQueue: taskQueues.workflows,
    workflowBundle: bundle,
    activities: { ...createTeachingActivities({ context }), ...activities },
  });
  const dispatcher = new OutboxDispatcher({
    context,
    client: environment.client,
    databaseUrl: context.databaseUrl,
    logger: pino({ level: "silent" }),
  });
  try {
    return await worker.runUntil(work());
  } finally {
    await dispatcher.stop();
  }
}

const accept = (id: number) =>
  context.pool.transaction((tx) => acceptName(tx, id, { withAlias: true, videoIds: null }, "key_reviewer"));
const undo = (id: number) => context.pool.transaction((tx) => undoName(tx, id));
const statusOf = async (id: number) => (await readOffer(context, id)).name.status;
const becomes = (id: number, status: string) => eventually(async () => (await statusOf(id)) === status);
const handle = (id: number) => environment.client.workflow.getHandle(nameTeachingWorkflowId(id));
const closed = (id: number) => eventually(async () => (await handle(id).describe()).status.name === "COMPLETED");
async function taught(videos: number): Promise<{ scene: MisheardName; id: number }> {
  const scene = await createMisheardName(context, caller, videos);
  await scene.teach();
  return { scene, id: await scene.taughtId() };
}

describe("a taught name's workflow", () => {
  it("is started by the decision, corrects all places, and tells the operator how far it is", async () => {
    const { scene, id } = await taught(3);
    await whileWorking(async () => {
      await accept(id);
      await becomes(id, "carried");
      await closed(id);
      expect((await readOffer(context, id)).counts).toMatchObject({ corrected: 5, pending: 0 });
      const { searchAttributes } = await handle(id).describe();
      expect(searchAttributes).toMatchObject({ MediaEntityId: [entityId(scene.entityId)], MediaStage: ["carried"] });
      const { currentDetails } = z
        .object({ currentDetails: z.string() })
        .parse(await handle(id).query("__temporal_workflow_metadata"));
      expect(currentDetails).toContain("5 corrected");
      expect(await historyText(handle(id))).not.toContain(scene.wrong);
      await keepHistory(environment, nameTeachingWorkflowId(id), "name-teaching-carried");

      await undo(id);
      await becomes(id, "undone");
      await closed(id);
      await keepHistory(environment, nameTeachingWorkflowId(id), "name-teaching-undone");
      for (const videoId of scene.videoIds.slice(1)) expect(await scene.texts(videoId)).toEqual(scene.said);
    });
  });

  it("a batch that runs twice, also at the same time, corrects nothing twice", async () => {
    const { scene, id } = await taught(3);
    const { carryTaughtName } = createTeachingActivities({ context });
    await whileWorking(
      async () => {
        await accept(id);
        await becomes(id, "carried");
        await closed(id);
      },
      {
        carryTaughtName: async (asked) => {
          await Promise.all([carryTaughtName(asked), carryTaughtName(asked)]);
          return carryTaughtName(asked);
        },
      },
    );
    expect(
      (await correctionsMade(context, scene)).map(({ corrections, positions }) => [corrections, positions]),
    ).toEqual([
      [1, 1],
      [2, 2],
      [2, 2],
    ]);
  });

  it("heeds an undo that comes while it is at work, or at its very end", async () => {
    const { scene, id } = await taught(3);
    const { carryTaughtName } = createTeachingActivities({ context });
    const moments = new Set(["carried", "pending"]);
    await whileWorking(
      async () => {
        for (let round = 0; round < 2; round += 1) {
          await accept(id);
          await becomes(id, "undone");
          await closed(id);
          expect((await readOffer(context, id)).counts.corrected).toBe(0);
          for (const videoId of scene.videoIds.slice(1)) expect(await scene.texts(videoId)).toEqual(scene.said);
        }
      },
      {
        carryTaughtName: async (asked) => {
          const progress = await carryTaughtName(asked);
          const moment = progress.counts.pending > 0 ? "pending" : progress.status;
          // Before the workflow knows what this batch did.
          if (moments.delete(moment)) {
            await undo(asked);
            await eventually(async () => !(await isUntold(asked)));
          }
          return progress;
        },
      },
    );
    expect(moments.size).toBe(0);
  });

  it("is started anew when a carried name is accepted for more", async () => {
    const { scene, id } = await taught(2);
    await whileWorking(async () => {
      await accept(id);
      await becomes(id, "carried");
      await closed(id);
      const published = await scene.publish();
      await accept(id);
      await becomes(id, "carried");
      expect((await readOffer(context, id)).counts).toMatchObject({ corrected: 5, pending: 0, candidate: 0 });
      expect(await scene.texts(published)).not.toEqual(scene.said);
    });
  });

  it("is started anew by a repeated decision when somebody terminated it", async () => {
    const { id } = await taught(2);
    await accept(id);
    await startNameTeaching(context.pool, environment.client, id);
    await handle(id).terminate("by hand");
    await whileWorking(async () => {
      await accept(id);
      await becomes(id, "carried");
      expect((await readOffer(context, id)).counts.corrected).toBe(3);
    });
  });
});

const isUntold = (id: number) =>
  context.pool.exists(
    sql.typeAlias("void")`select from outbox where kind = 'teaching.start' and subject = ${String(id)}`,
  );
