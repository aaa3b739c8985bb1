import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker } from "@temporalio/worker";
import { z } from "zod";
import { createUpkeepActivities } from "../../activities/upkeep.ts";
import { count, sql } from "../../database/pool.ts";
import { retypeMentionBatch } from "../../services/mentions/retype.ts";
import { ensureSchedules } from "../../workers/schedules.ts";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";
import { taskQueues } from "../../workflows/taskQueues.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { keepHistory } from "../builders/histories.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";

let environment: TestWorkflowEnvironment;
let context: TestContext;
let bundle: Awaited<ReturnType<typeof bundleWorkflows>>;
beforeAll(async () => {
  [environment, context, bundle] = await Promise.all([createNamespace(), createTestContext(), bundleWorkflows()]);
});
afterAll(async () => {
  await environment?.teardown();
  await context?.close();
});

it("the schedule rewrites what mentions of a retyped entity carry, batch by batch, and says so", async () => {
  const entityId = await createEntity(context, { type: "topic" });
  for (let made = 0; made < 5; made += 1)
    await createMention(context, { videoId: await createVideo(context), entityId });
  await context.pool.query(sql.typeAlias("void")`update entity set type = 'person' where id = ${entityId}`);
  await ensureSchedules(environment.client);
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    namespace: environment.namespace ?? "default",
    taskQueue: taskQueues.workflows,
    workflowBundle: bundle,
    activities: {
      ...createUpkeepActivities({ context }),
      retypeMentionBatch: () => retypeMentionBatch(context, 2),
    },
  });
  const schedule = environment.client.schedule.getHandle("mention-retyping");
  const { workflowId, result } = await worker.runUntil(async () => {
    await schedule.trigger();
    for (;;) {
      const run = (await schedule.describe()).info.recentActions.at(-1);
      if (run?.action.type === "startWorkflow") {
        const started = run.action.workflow.workflowId;
        return { workflowId: started, result: await environment.client.workflow.getHandle(started).result() };
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  expect(result).toEqual({ mentions: 5 });
  const left = sql.type(z.object({ count }))`
    select (select count(*) from mention where entity_type = 'topic') + (select count(*) from retyped_entity) as count`;
  expect(await context.pool.oneFirst(left)).toBe(0);
  const run = environment.client.workflow.getHandle(workflowId);
  expect((await run.describe()).searchAttributes["MediaStage"]).toEqual(["done"]);
  const { events } = await run.fetchHistory();
  expect(events?.filter((event) => event.activityTaskCompletedEventAttributes)).toHaveLength(4);
  await keepHistory(environment, workflowId, "mention-retyping");
});
