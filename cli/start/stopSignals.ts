import path from "node:path";
import { commandLine, identify, isAlive, parentOf, type ProcessIdentity } from "./processIdentity.ts";

export interface StopSignals {
  /** Aborted at the first wish to stop. */
  readonly wish: AbortSignal;
  /** Aborted when somebody insists. */
  readonly force: AbortSignal;
  /** Looks now, without waiting for the next round, whether whoever started us is gone. */
  checkLauncher(): void;
  release(): void;
}

// npm passes Ctrl-C on to a process that the terminal has told already, so one key press arrives twice.
const samePressMilliseconds = 1000;

/** Listens for SIGTERM, SIGINT and SIGHUP, and for the end of the npm that started this process. */
export function listenForStop(): StopSignals {
  const wish = new AbortController();
  const force = new AbortController();
  let wishedAt = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    if (!wish.signal.aborted) {
      wishedAt = performance.now();
      wish.abort();
    } else if (signal === "SIGINT" && performance.now() - wishedAt > samePressMilliseconds) force.abort();
  };
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, onSignal);
  const launchers = npmLaunchers();
  const checkLauncher = () => {
    if (!launchers.every(isAlive)) wish.abort();
  };
  const timer = setInterval(checkLauncher, 1000);
  return {
    wish: wish.signal,
    force: force.signal,
    checkLauncher,
    release: () => {
      clearInterval(timer);
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

/** A killed npm cannot pass anything on, so its scripts watch it: npm itself and the shell between, where there is one. */
function npmLaunchers(): ProcessIdentity[] {
  if (process.env["npm_lifecycle_event"] === undefined) return [];
  const pids = [process.ppid];
  const isShell = /^(ba|da|z|k)?sh$/.test(path.basename(commandLine(process.ppid)[0] ?? ""));
  const grandparent = isShell ? parentOf(process.ppid) : undefined;
  if (grandparent !== undefined && grandparent > 1) pids.push(grandparent);
  return pids.map(identify).filter((identity) => identity !== undefined);
}
