import type { Transaction } from "../../database/pool.ts";
import { deleteTracker } from "../../database/trackers.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Caller } from "../context.ts";

/** Deletes the account's tracker; the alerts that it fired stay. Throws `tracker_not_found`. */
export async function removeTracker(transaction: Transaction, { accountId }: Caller, trackerId: string): Promise<void> {
  if (!(await deleteTracker(transaction, accountId, trackerId))) throw new ApiError("tracker_not_found");
}
