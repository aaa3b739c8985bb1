import { lockMonitor, type Monitor } from "../../database/monitors.ts";
import type { Transaction } from "../../database/pool.ts";
import { setMonitorOfTrackers } from "../../database/trackers.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { readMonitor } from "./read.ts";

/** Takes a tracker from under its monitor. Throws `monitor_not_found`, or `tracker_not_found` for one that is not under it. */
export async function detachTracker(
  { clock }: ServiceContext,
  transaction: Transaction,
  { accountId }: Caller,
  monitorId: string,
  trackerId: string,
): Promise<Monitor> {
  if (!(await lockMonitor(transaction, accountId, monitorId))) throw new ApiError("monitor_not_found");
  const { trackerIds } = await readMonitor(transaction, accountId, monitorId);
  if (!trackerIds.includes(trackerId))
    throw new ApiError("tracker_not_found", "This monitor has no such tracker; read the monitor for its `trackerIds`.");
  await setMonitorOfTrackers(transaction, [trackerId], null, clock());
  return readMonitor(transaction, accountId, monitorId);
}
