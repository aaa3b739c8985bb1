import type { Queryable } from "../../database/pool.ts";
import { readTracker as selectTracker, type Tracker } from "../../database/trackers.ts";
import { ApiError } from "../../domain/errors.ts";

/** The account's tracker. Throws `tracker_not_found`. */
export async function readTracker(db: Queryable, accountId: string, trackerId: string): Promise<Tracker> {
  const tracker = await selectTracker(db, accountId, trackerId);
  if (tracker === null) throw new ApiError("tracker_not_found");
  return tracker;
}
