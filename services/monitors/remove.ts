import { deleteMonitor } from "../../database/monitors.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Caller } from "../context.ts";

/** Deletes the account's monitor: its trackers stay, without one, and its secrets are erased. Throws `monitor_not_found`. */
export async function removeMonitor(transaction: Transaction, { accountId }: Caller, monitorId: string): Promise<void> {
  if (!(await deleteMonitor(transaction, accountId, monitorId))) throw new ApiError("monitor_not_found");
}
