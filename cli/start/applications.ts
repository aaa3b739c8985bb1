import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gentleEnding } from "./processIdentity.ts";
import { endOrphan, lastLogLines, spawnRecorded } from "./processes.ts";
import { type Service, supervise } from "./supervise.ts";

/** One of the product's own processes. */
export interface ApplicationPlan {
  name: string;
  /** Absolute path of its entry point. */
  entry: string;
  nodeOptions?: readonly string[];
  /** How long it may take to finish what it is doing. */
  graceSeconds: number;
  /** It answers `GET /v1/health` once it is up. */
  servesApi: boolean;
}

const entry = (file: string) => path.resolve(import.meta.dirname, "../..", file);

/**
 * With gigabytes allowed, V8 lets garbage pile up in each of a worker's isolates: 1.1 GB with 10,000 reviews that wait,
 * of heaps that held 0.2 GB when collected (seen at 4,000). Bounded, it collects sooner, at no cost that was seen.
 */
const boundedHeap = ["--max-semi-space-size=8", "--max-old-space-size=1536"];

export const applicationPlans: readonly ApplicationPlan[] = [
  {
    name: "workers",
    entry: entry("workers/main.ts"),
    nodeOptions: boundedHeap,
    graceSeconds: 30,
    servesApi: false,
  },
  { name: "speech", entry: entry("workers/speech.ts"), graceSeconds: 30, servesApi: false },
  { name: "api", entry: entry("api/main.ts"), graceSeconds: 20, servesApi: true },
];

export interface ApplicationOptions {
  home: string;
  plan: ApplicationPlan;
  environment: NodeJS.ProcessEnv;
  note: (text: string) => void;
}

/** Starts one of the processes and keeps it running. Its channel closes when this process dies, at which it ends itself. */
export function startApplication({ home, plan, environment, note }: ApplicationOptions): Service {
  const { service, ready } = supervise({
    name: plan.name,
    ending: gentleEnding(plan.graceSeconds),
    note,
    launch: async (own) =>
      own(
        spawnRecorded({
          home,
          name: plan.name,
          command: process.execPath,
          args: [...(plan.nodeOptions ?? []), plan.entry],
          environment,
          workingFolder: process.cwd(),
          channel: true,
        }),
      ),
  });
  ready.catch((error: unknown) => note(`${plan.name} cannot be started: ${String(error)}`));
  return service;
}

/** Ends processes of a killed starter that have not ended by themselves yet. */
export async function endOrphanedApplications(home: string, plans: readonly ApplicationPlan[]): Promise<void> {
  await Promise.all(plans.map((plan) => endOrphan(home, plan.name, gentleEnding(plan.graceSeconds))));
}

export interface HealthWait {
  home: string;
  url: string;
  services: readonly Service[];
  signal: AbortSignal;
}

const deathsAllowed = 3;
const healthySeconds = 120;

/** Waits until the address answers 200. Throws with the end of a service's log when it keeps dying, or after two minutes. */
export async function waitUntilHealthy({ home, url, services, signal }: HealthWait): Promise<void> {
  const deadline = performance.now() + healthySeconds * 1000;
  for (;;) {
    signal.throwIfAborted();
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
      await response.body?.cancel();
      if (response.status === 200) return;
    } catch {
      // Not listening yet.
    }
    const failing = services.find((service) => service.deaths >= deathsAllowed);
    if (failing) throw new Error(`${failing.name} keeps ending:\n${lastLogLines(home, failing.name)}`);
    if (performance.now() > deadline)
      throw new Error(
        `${url} does not answer:\n${services.map((service) => lastLogLines(home, service.name)).join("\n")}`,
      );
    await sleep(50);
  }
}
