import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { endProcess, type EndingSteps, identify, processIdentitySchema } from "./processIdentity.ts";

const rotateAtBytes = 20_000_000;
const logFile = (home: string, name: string) => path.join(home, "logs", `${name}.log`);
const pidFile = (home: string, name: string) => path.join(home, "run", `${name}.json`);

export interface ProcessPlan {
  home: string;
  /** Names the log and the pid file. */
  name: string;
  command: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  workingFolder: string;
  /** Opens a channel whose end tells the process that its starter is gone. */
  channel?: boolean;
  identity?: { uid?: number; gid?: number };
}

/**
 * Spawns a process with its output in `<home>/logs/<name>.log` and its identity in `<home>/run/<name>.json`. It leads a group of
 * its own, so that Ctrl-C in a terminal reaches the starter alone, which then stops everything in order.
 */
export function spawnRecorded(plan: ProcessPlan): ChildProcess {
  const log = openLog(plan.home, plan.name);
  try {
    const child = spawn(plan.command, plan.args, {
      cwd: plan.workingFolder,
      env: plan.environment,
      detached: true,
      stdio: plan.channel ? ["ignore", log, log, "ipc"] : ["ignore", log, log],
      ...plan.identity,
    });
    recordProcess(plan.home, plan.name, child);
    return child;
  } finally {
    closeSync(log);
  }
}

/** Writes down who a process is for as long as it lives, so that a later start can find it. */
export function recordProcess(home: string, name: string, child: ChildProcess): void {
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (!identity) return;
  const file = pidFile(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(identity));
  child.once("exit", () => rmSync(file, { force: true }));
}

/** Ends what a killed starter left running under this name. Returns whether there was anything. */
export async function endOrphan(home: string, name: string, ending: EndingSteps): Promise<boolean> {
  const file = pidFile(home, name);
  const identity = readIdentity(file);
  rmSync(file, { force: true });
  if (!identity || identify(identity.pid)?.startedAt !== identity.startedAt) return false;
  await endProcess(identity, ending);
  return true;
}

/** End of a process's log, for messages. */
export function lastLogLines(home: string, name: string, lines = 8): string {
  try {
    return readFileSync(logFile(home, name), "utf8").trimEnd().split("\n").slice(-lines).join("\n");
  } catch {
    return "";
  }
}

/** Whether a server's last words were that somebody else listens where it wanted to. */
export function foundPortTaken(home: string, name: string): boolean {
  return /address already in use/i.test(lastLogLines(home, name));
}

export function hasExited(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function openLog(home: string, name: string): number {
  const file = logFile(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > rotateAtBytes) renameSync(file, `${file}.1`);
  return openSync(file, "a", 0o600);
}

function readIdentity(file: string) {
  try {
    return processIdentitySchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}
