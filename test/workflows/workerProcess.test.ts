import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { ScheduleNotFoundError } from "@temporalio/client";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { type RunningProcess, startProcess } from "../builders/childProcess.ts";
import { createTestContext, type TestContext } from "../builders/context.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";

let environment: TestWorkflowEnvironment;
let context: TestContext;
let home: string;
let worker: RunningProcess;
beforeAll(async () => {
  [environment, context, home] = await Promise.all([
    createNamespace(),
    createTestContext(),
    mkdtemp(path.join(tmpdir(), "media-index-worker-")),
  ]);
  worker = await startProcess("workers/main.ts", {
    DATABASE_URL: context.databaseUrl,
    MEDIA_INDEX_HOME: home,
    TEMPORAL_ADDRESS: environment.address,
    TEMPORAL_NAMESPACE: environment.namespace ?? "default",
  });
});
afterAll(async () => {
  worker?.child.kill("SIGKILL");
  await environment?.teardown();
  await context?.close();
  await rm(home, { recursive: true, force: true });
});

it("makes the schedules of an installation whose Temporal was empty", async () => {
  const exists = async () => {
    try {
      return await environment.client.schedule.getHandle("idempotency-purge").describe();
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return null;
      throw error;
    }
  };
  while ((await exists()) === null) await new Promise((resolve) => setTimeout(resolve, 50));
  const handle = environment.client.schedule.getHandle("idempotency-purge");
  await handle.trigger();
  while ((await handle.describe()).info.recentActions.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const [run] = (await handle.describe()).info.recentActions;
  const workflowId = run?.action.type === "startWorkflow" ? run.action.workflow.workflowId : "";
  expect(await environment.client.workflow.getHandle(workflowId).result()).toEqual({ deleted: 0 });
});

it("serves the metrics of its Temporal worker", async () => {
  const response = await fetch(await worker.announced("metricsUrl"));
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("temporal_worker_task_slots_available");
});

it("ends on SIGTERM", async () => {
  const exited = once(worker.child, "exit");
  worker.child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
});
