import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** One of the product's own processes, as a child of the test. */
export interface RunningProcess {
  child: ChildProcess;
  /** What its line about being ready says of a field, once it is there. */
  announced(field: string): Promise<string>;
  /** All that it printed so far. */
  output(): string;
}

/** Starts `entry` (a path from the root of the repository) and waits until it is ready. Ports are any free ones. */
export async function startProcess(entry: string, environment: NodeJS.ProcessEnv): Promise<RunningProcess> {
  const child = fork(path.resolve(import.meta.dirname, "../..", entry), {
    execArgv: [],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    env: { ...process.env, NODE_OPTIONS: "", PORT: "0", METRICS_PORT: "0", ...environment },
  });
  let output = "";
  child.stdout?.on("data", (part: Buffer) => (output += part.toString()));
  await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => {
      throw new Error(`${entry} ended with ${code}:\n${output}`);
    }),
  ]);
  return {
    child,
    output: () => output,
    async announced(field) {
      for (;;) {
        const value = new RegExp(`"${field}":"([^"]+)"`).exec(output)?.[1];
        if (value !== undefined) return value;
        await sleep(10);
      }
    },
  };
}

/** Ends a process as a power cut would, and waits until it is gone. */
export async function killProcess({ child }: RunningProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
