import type { Connection } from "@temporalio/client";
import type { Pool } from "../database/pool.ts";
import { countReadyEngineProcesses } from "../database/workers.ts";
import type { HealthChecks } from "./v1/meta/healthMonitor.ts";

/** The real checks: a statement, a call to Temporal's frontend, and a heartbeat of a worker whose engine is ready. */
export function createHealthChecks(pool: Pool, temporal: Connection): HealthChecks {
  return {
    database: () => countReadyEngineProcesses(pool),
    temporal: async () => temporal.workflowService.getSystemInfo({}),
    async transcriber() {
      if ((await countReadyEngineProcesses(pool)) === 0) throw new Error("no engine process is ready");
    },
  };
}
