import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { ScheduleNotFoundError } from "@temporalio/client";
import type { RunningProcess } from "../builders/childProcess.ts";
import { createWorkerGround, type WorkerGround } from "../builders/workerProcess.ts";

let ground: WorkerGround;
let worker: RunningProcess;
beforeAll(async () => {
  ground = await createWorkerGround();
  worker = await ground.startWorker();
});
afterAll(async () => {
  worker?.child.kill("SIGKILL");
  await ground?.close();
});

it("makes the schedules of an installation whose Temporal was empty", async () => {
  const exists = async () => {
    try {
      return await ground.environment.client.schedule.getHandle("idempotency-purge").describe();
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return null;
      throw error;
    }
  };
  while ((await exists()) === null) await new Promise((resolve) => setTimeout(resolve, 50));
  const handle = ground.environment.client.schedule.getHandle("idempotency-purge");
  await handle.trigger();
  while ((await handle.describe()).info.recentActions.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const [run] = (await handle.describe()).info.recentActions;
  const workflowId = run?.action.type === "startWorkflow" ? run.action.workflow.workflowId : "";
  expect(await ground.environment.client.workflow.getHandle(workflowId).result()).toEqual({ deleted: 0 });
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
