import { type Monitor, readMonitor as selectMonitor } from "../../database/monitors.ts";
import type { Queryable } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";

/** The account's monitor. Throws `monitor_not_found`. */
export async function readMonitor(db: Queryable, accountId: string, monitorId: string): Promise<Monitor> {
  const monitor = await selectMonitor(db, accountId, monitorId);
  if (monitor === null) throw new ApiError("monitor_not_found");
  return monitor;
}
