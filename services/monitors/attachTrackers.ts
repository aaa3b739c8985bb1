import { lockMonitor, type Monitor } from "../../database/monitors.ts";
import type { Transaction } from "../../database/pool.ts";
import { findForeignTrackerIds, setMonitorOfTrackers } from "../../database/trackers.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { readMonitor } from "./read.ts";

/**
 * Puts trackers under a monitor, all or none; one that is under another moves. Throws `monitor_not_found`, or `tracker_not_found` that names
 * those which are not the account's.
 */
export async function attachTrackers(
  { clock }: ServiceContext,
  transaction: Transaction,
  { accountId }: Caller,
  monitorId: string,
  trackerIds: readonly string[],
): Promise<Monitor> {
  if (!(await lockMonitor(transaction, accountId, monitorId))) throw new ApiError("monitor_not_found");
  const foreign = await findForeignTrackerIds(transaction, accountId, trackerIds);
  if (foreign.length > 0)
    throw new ApiError(
      "tracker_not_found",
      `No tracker of this account is called ${foreign.slice(0, 5).join(", ")}; none was attached.`,
    );
  await setMonitorOfTrackers(transaction, trackerIds, monitorId, clock());
  return readMonitor(transaction, accountId, monitorId);
}
