import type { ChildProcess } from "node:child_process";
import { type RunningProcess, startProcess } from "./childProcess.ts";

export interface ApiProcess {
  api: ChildProcess;
  url: string;
  running: RunningProcess;
}

/** Starts the product's API process on a port of its own. It ends with the process that started it. */
export async function startApiProcess(
  databaseUrl: string,
  home: string,
  environment: Record<string, string> = {},
): Promise<ApiProcess> {
  const running = await startProcess("api/main.ts", {
    MEDIA_INDEX_HOME: home,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: "127.0.0.1:9",
    ...environment,
  });
  return { api: running.child, url: await running.announced("url"), running };
}
