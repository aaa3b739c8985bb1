import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { type RunningProcess, startProcess } from "./childProcess.ts";
import { createTestContext, type TestContext } from "./context.ts";
import { createNamespace } from "./transcriptionWorkers.ts";

/** A database, a namespace of the real Temporal server and a home, for the product's own worker to run on. */
export interface WorkerGround {
  environment: TestWorkflowEnvironment;
  context: TestContext;
  /** Starts a worker process; one test may have several, one after another. */
  startWorker(): Promise<RunningProcess>;
  close(): Promise<void>;
}

export async function createWorkerGround(): Promise<WorkerGround> {
  const [environment, context, home] = await Promise.all([
    createNamespace(),
    createTestContext(),
    mkdtemp(path.join(tmpdir(), "media-index-worker-")),
  ]);
  return {
    environment,
    context,
    startWorker: () =>
      startProcess("workers/main.ts", {
        DATABASE_URL: context.databaseUrl,
        MEDIA_INDEX_HOME: home,
        TEMPORAL_ADDRESS: environment.address,
        TEMPORAL_NAMESPACE: environment.namespace ?? "default",
      }),
    close: async () => {
      await environment.teardown();
      await context.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
