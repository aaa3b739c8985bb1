/** What the service stands on. Each check resolves when its part is up, and throws or hangs when it is not. */
export interface HealthChecks {
  database: () => Promise<unknown>;
  temporal: () => Promise<unknown>;
  transcriber: () => Promise<unknown>;
}

export type HealthState = Record<keyof HealthChecks, "ok" | "down">;

const timeoutMilliseconds = 2000;
const freshMilliseconds = 1000;

/** Runs the checks side by side, at most once a second however often it is asked. */
export function createHealthMonitor(checks: HealthChecks): () => Promise<HealthState> {
  let latest: Promise<HealthState> | null = null;
  let startedAt = 0;
  return () => {
    const now = performance.now();
    if (latest === null || now - startedAt > freshMilliseconds) {
      startedAt = now;
      latest = checkAll(checks);
    }
    return latest;
  };
}

async function checkAll(checks: HealthChecks): Promise<HealthState> {
  const [database, temporal, transcriber] = await Promise.all([
    isUp(checks.database),
    isUp(checks.temporal),
    isUp(checks.transcriber),
  ]);
  return { database, temporal, transcriber };
}

async function isUp(check: () => Promise<unknown>): Promise<"ok" | "down"> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("no answer in time")), timeoutMilliseconds);
  try {
    await Promise.race([check(), timedOut]);
    return "ok";
  } catch {
    return "down";
  } finally {
    clearTimeout(timer);
  }
}
