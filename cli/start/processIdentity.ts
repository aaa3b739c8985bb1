import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

/** A process and not another that was given its number later: pid plus the moment it started. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

export const processIdentitySchema = z.object({
  pid: z.number().int().positive(),
  startedAt: z.string().min(1),
});

/** The identity of a living process; undefined for none and for a zombie. */
export function identify(pid: number): ProcessIdentity | undefined {
  try {
    if (process.platform !== "linux") {
      const startedAt = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
        encoding: "utf8",
      }).trim();
      return startedAt === "" ? undefined : { pid, startedAt };
    }
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the name in parentheses and may hold anything; the fields after it are plain.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, ticksSinceBoot] = [fields[0], fields[19]];
    if (state === "Z" || state === "X" || ticksSinceBoot === undefined) return undefined;
    return { pid, startedAt: `${bootId()}/${ticksSinceBoot}` };
  } catch {
    return undefined;
  }
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/** The words of a process's command line; empty where they cannot be read. */
export function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
  } catch {
    return [];
  }
}

/** The process that started `pid`; undefined when it is gone or unknown. */
export function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

/** Signals to send, mildest first, and how long to wait after each. */
export type EndingSteps = readonly { signal: NodeJS.Signals; waitSeconds: number }[];

export const gentleEnding = (graceSeconds: number): EndingSteps => [
  { signal: "SIGTERM", waitSeconds: graceSeconds },
  { signal: "SIGKILL", waitSeconds: 10 },
];

/** Ends exactly this process, never one that took over its number. Throws when it outlives the last signal. */
export async function endProcess(identity: ProcessIdentity, steps: EndingSteps): Promise<void> {
  for (const { signal, waitSeconds } of steps) {
    if (!isAlive(identity)) return;
    try {
      process.kill(identity.pid, signal);
    } catch (error) {
      if (!isAlive(identity)) return;
      throw error;
    }
    const deadline = performance.now() + waitSeconds * 1000;
    while (performance.now() < deadline) {
      if (!isAlive(identity)) return;
      await sleep(20);
    }
  }
  if (isAlive(identity)) throw new Error(`process ${identity.pid} does not end`);
}

let knownBootId: string | undefined;
function bootId(): string {
  knownBootId ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return knownBootId;
}
