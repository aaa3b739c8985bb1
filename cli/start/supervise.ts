import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { endProcess, type EndingSteps, identify, type ProcessIdentity } from "./processIdentity.ts";
import { hasExited } from "./processes.ts";

export interface ServicePlan {
  name: string;
  /** Spawns the process, hands it over at once through `own`, and returns when it is ready to be used. */
  launch(own: (child: ChildProcess) => void): Promise<void>;
  ending: EndingSteps;
  /** What to do instead when there is no time. */
  forcedEnding?: EndingSteps;
  /** Told about deaths and restarts. */
  note: (text: string) => void;
}

export interface Service {
  readonly name: string;
  readonly pid: number | undefined;
  /** Unexpected deaths so far. */
  readonly deaths: number;
  stop(force?: boolean): Promise<void>;
}

const firstDelayMilliseconds = 300;
const longestDelayMilliseconds = 30_000;
const settledAfterMilliseconds = 60_000;

/**
 * Keeps a process running: restarts it, ever more slowly, when it dies on its own. `ready` settles with the first launch and
 * rejects when that fails; later launches are tried until they succeed or the service is stopped.
 */
export function supervise(plan: ServicePlan): { service: Service; ready: Promise<void> } {
  let current: ChildProcess | undefined;
  let identity: ProcessIdentity | undefined;
  let launching = Promise.resolve();
  let deaths = 0;
  let delayMilliseconds = firstDelayMilliseconds;
  const stopped = new AbortController();

  const own = (child: ChildProcess) => {
    current = child;
    identity = child.pid === undefined ? undefined : identify(child.pid);
    child.on("error", () => undefined);
    if (stopped.signal.aborted) child.kill("SIGKILL");
  };

  const end = async (steps: EndingSteps) => {
    if (identity && current && !hasExited(current)) await endProcess(identity, steps);
  };

  const watch = () => {
    const child = current;
    if (!child) return;
    const bornAt = performance.now();
    const died = () => {
      if (stopped.signal.aborted) return;
      deaths += 1;
      if (performance.now() - bornAt > settledAfterMilliseconds) delayMilliseconds = firstDelayMilliseconds;
      plan.note(`${plan.name} ended (${child.signalCode ?? `exit status ${child.exitCode}`}); starting it again`);
      launching = relaunch();
    };
    if (hasExited(child)) died();
    else child.once("exit", died);
  };

  const relaunch = async () => {
    while (!stopped.signal.aborted) {
      await sleep(delayMilliseconds, undefined, { signal: stopped.signal }).catch(() => undefined);
      delayMilliseconds = Math.min(delayMilliseconds * 2, longestDelayMilliseconds);
      if (stopped.signal.aborted) return;
      try {
        await plan.launch(own);
        return watch();
      } catch (error) {
        if (stopped.signal.aborted) return;
        plan.note(`${plan.name} did not start: ${error instanceof Error ? error.message : String(error)}`);
        await end(plan.ending);
      }
    }
  };

  const first = async () => {
    try {
      await plan.launch(own);
    } catch (error) {
      await end(plan.ending);
      throw error;
    }
    watch();
  };

  const ready = first();
  launching = ready.catch(() => undefined);
  const service: Service = {
    name: plan.name,
    get pid() {
      return current && !hasExited(current) ? current.pid : undefined;
    },
    get deaths() {
      return deaths;
    },
    stop: async (force = false) => {
      stopped.abort();
      const steps = force ? (plan.forcedEnding ?? [{ signal: "SIGKILL", waitSeconds: 10 }]) : plan.ending;
      await end(steps);
      // A launch in progress may have spawned once more before it saw that it is not wanted.
      await launching;
      await end(steps);
    },
  };
  return { service, ready };
}
