import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

export interface ApiProcess {
  api: ChildProcess;
  url: string;
}

/** Starts the product's API process on a port of its own. It ends with the process that started it. */
export async function startApiProcess(
  databaseUrl: string,
  home: string,
  environment: Record<string, string> = {},
): Promise<ApiProcess> {
  const api = fork(path.resolve(import.meta.dirname, "../../api/main.ts"), {
    execArgv: [],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      PORT: "0",
      MEDIA_INDEX_HOME: home,
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: "127.0.0.1:9",
      ...environment,
    },
  });
  let log = "";
  const listening = new Promise<string>((resolve) => {
    api.stdout?.on("data", (part: Buffer) => {
      if (log.length > 10_000) return;
      log += part.toString();
      const url = /"url":"([^"]+)"/.exec(log)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  await once(api, "message");
  return { api, url: await listening };
}
