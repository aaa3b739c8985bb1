import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker } from "@temporalio/worker";
import { createUpkeepActivities } from "../../activities/upkeep.ts";
import { count, sql } from "../../database/pool.ts";
import { purgeIdempotencyKeys } from "../../services/idempotency/purge.ts";
import { ensureSchedules } from "../../workers/schedules.ts";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";
import type { idempotencyPurge } from "../../workflows/idempotencyPurge.ts";
import { taskQueues } from "../../workflows/taskQueues.ts";
import { z } from "zod";
import { createTestContext, type TestContext } from "../builders/context.ts";
import { keepHistory } from "../builders/histories.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";

const scheduleId = "idempotency-purge";

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

/** Stores answers as if they were given so long ago. */
async function storeAnswers(answers: number, ageSeconds: number): Promise<void> {
  await context.pool.query(sql.typeAlias("void")`
    insert into idempotency_key (owner, key, fingerprint, status, headers, body, created_at)
    select 'usr_one', ${`${ageSeconds} `} || number, '', 200, '{}', '', now() - ${ageSeconds} * interval '1 s'
    from generate_series(1, ${answers}) as number`);
}

const storedAnswers = () => context.pool.oneFirst(sql.type(z.object({ count }))`select count(*) from idempotency_key`);

async function whileWorking<T>(batchSize: number, work: () => Promise<T>): Promise<T> {
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    namespace: environment.namespace ?? "default",
    taskQueue: taskQueues.workflows,
    workflowBundle: bundle,
    activities: {
      ...createUpkeepActivities({ context }),
      purgeIdempotencyKeys: () => purgeIdempotencyKeys(context, batchSize),
    },
  });
  return worker.runUntil(work());
}

const schedule = () => environment.client.schedule.getHandle(scheduleId);

async function triggeredRun(): Promise<string> {
  await schedule().trigger();
  for (;;) {
    const run = (await schedule().describe()).info.recentActions.at(-1);
    if (run?.action.type === "startWorkflow") return run.action.workflow.workflowId;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("the schedule", () => {
  it("deletes what is past its retention in batches and keeps the rest", async () => {
    await storeAnswers(25, 86_400 + 60);
    await storeAnswers(5, 86_400 - 60);
    await ensureSchedules(environment.client);
    const workflowId = await whileWorking(10, async () => {
      const started = await triggeredRun();
      const handle = environment.client.workflow.getHandle<typeof idempotencyPurge>(started);
      expect(await handle.result()).toEqual({ deleted: 25 });
      return started;
    });
    expect(await storedAnswers()).toBe(5);
    const run = environment.client.workflow.getHandle(workflowId);
    expect((await run.describe()).searchAttributes["MediaStage"]).toEqual(["done"]);
    expect(await (await run.describe()).staticSummary()).toMatch(/idempotency keys/);
    const { events } = await run.fetchHistory();
    expect(events?.filter((event) => event.activityTaskCompletedEventAttributes)).toHaveLength(3);
    await keepHistory(environment, workflowId, "idempotency-purge");
  });

  it("is made once by any number of workers, and leaves an operator's pause alone", async () => {
    await schedule().pause("while we look into something");
    await Promise.all([1, 2, 3, 4].map(() => ensureSchedules(environment.client)));
    const { state, spec } = await schedule().describe();
    expect(state).toMatchObject({ paused: true, note: "while we look into something" });
    expect(spec.intervals).toMatchObject([{ every: 600_000 }]);
    await schedule().unpause();
  });

  it("is brought to today's definition", async () => {
    await schedule().update((previous) => ({ ...previous, spec: { intervals: [{ every: "7 days" }] } }));
    await ensureSchedules(environment.client);
    expect((await schedule().describe()).spec.intervals).toMatchObject([{ every: 600_000 }]);
  });
});
