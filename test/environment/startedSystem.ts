import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { identify, isAlive, processIdentitySchema, type ProcessIdentity } from "../../cli/start/processIdentity.ts";
import { anyFreePort } from "../../adapters/ports.ts";
import { environmentVariables } from "../../domain/configuration.ts";
import { readRunState, type RunState } from "../../cli/start/runState.ts";

export const partNames = ["postgres", "temporal", "workers", "speech", "api"] as const;
export type PartName = (typeof partNames)[number];

export interface StartedSystem {
  child: ChildProcess;
  /** Everything that was printed so far. */
  output(): { stdout: string; stderr: string };
  /** Settles when the start has printed its line; rejects when it ended before. */
  ready: Promise<RunState>;
  /** Exit status of the starter. */
  exit: Promise<number | null>;
}

export interface TestHome {
  home: string;
  port: number;
  environment: NodeJS.ProcessEnv;
}

/** A fresh home with ports of its own, and nothing of the configuration that this machine may have. */
export async function createHome(): Promise<TestHome> {
  const home = mkdtempSync(path.join(os.tmpdir(), "media-index-start-"));
  const names = ["PORT", "POSTGRES_PORT", "TEMPORAL_PORT", "TEMPORAL_UI_PORT"] as const;
  const ports = await Promise.all(names.map(async (name) => [name, await anyFreePort()] as const));
  const inherited = Object.entries(process.env).filter(([name]) => !(name in environmentVariables));
  return {
    home,
    port: ports[0]?.[1] ?? 0,
    environment: {
      ...Object.fromEntries(inherited),
      ...Object.fromEntries(ports.map(([name, port]) => [name, String(port)])),
      // As under npm, the system then stops by itself when the test run is killed.
      npm_lifecycle_event: "start",
      METRICS_PORT: "0",
      MEDIA_INDEX_HOME: home,
    },
  };
}

const standIns = [path.join(import.meta.dirname, "startScript.ts")];
/** `npm start` itself, with the product's own processes. */
export const realStart = [path.join(import.meta.dirname, "../../cli/main.ts"), "start", "--no-demo"];

/** Runs the start command, with stand-ins for the product's processes unless told otherwise. `command` puts another process in front of it. */
export function startSystem(
  { home, environment }: TestHome,
  command: readonly string[] = [],
  script: readonly string[] = standIns,
): StartedSystem {
  const words = [...command, process.execPath, ...script];
  const child = spawn(words[0] ?? process.execPath, words.slice(1), {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
  const exit = once(child, "exit").then(([code]) => (typeof code === "number" ? code : null));
  const ready = new Promise<RunState>((resolve, reject) => {
    child.stdout.on("data", () => {
      const state = stdout.includes("ready ") ? readRunState(home) : undefined;
      if (state) resolve(state);
    });
    void exit.then((code) => reject(new Error(`ended with ${code} before it was ready:\n${stderr}`)));
  });
  ready.catch(() => undefined);
  return { child, output: () => ({ stdout, stderr }), ready, exit };
}

/** The parts as they run now. */
export function runningParts(home: string): Partial<Record<PartName, ProcessIdentity>> {
  return Object.fromEntries(
    partNames.flatMap((name) => {
      try {
        const identity = processIdentitySchema.parse(
          JSON.parse(readFileSync(path.join(home, "run", `${name}.json`), "utf8")),
        );
        return isAlive(identity) ? [[name, identity]] : [];
      } catch {
        return [];
      }
    }),
  );
}

/** Waits for something to become true. */
export async function eventually<T>(question: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await question();
    if (answer !== undefined && answer !== false) return answer;
    await sleep(50);
  }
}

export function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined && identify(child.pid)) process.kill(child.pid, signal);
}
