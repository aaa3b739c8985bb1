import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

export interface ApiProcess {
  api: ChildProcess;
  url: string;
}

/** A real API process on a free port, ready when this returns; `environment` is added to its own. */
export async function startApiProcess(environment: Record<string, string>): Promise<ApiProcess> {
  const api = fork(path.resolve(import.meta.dirname, "../../api/main.ts"), {
    execArgv: [],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    env: { ...process.env, NODE_OPTIONS: "", PORT: "0", TEMPORAL_ADDRESS: "127.0.0.1:9", ...environment },
  });
  const { promise: url, resolve, reject } = Promise.withResolvers<string>();
  let log = "";
  api.stdout?.on("data", (part: Buffer) => {
    if (log.length > 10_000) return;
    log += part.toString();
    const ready = /"url":"([^"]+)"/.exec(log)?.[1];
    if (ready !== undefined) resolve(ready);
  });
  api.once("exit", (code) => reject(new Error(`the API process ended with status ${code}:\n${log}`)));
  await once(api, "message");
  return { api, url: await url };
}
