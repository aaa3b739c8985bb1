import { listWatchedOf } from "../../database/matching.ts";
import type { Transaction } from "../../database/pool.ts";
import { matchTrackers, readEvidenceBefore } from "./matchTrackers.ts";

/**
 * Writes mentions, of any number of videos, and fires the trackers that they are news to, in the same transaction. `told` says of which
 * entities and videos they are: where nobody watches these entities nothing is read, so that large imports cost no more than before.
 */
export async function firing<T>(
  transaction: Transaction,
  told: readonly { entityId: number; videoId: string }[],
  write: () => Promise<T>,
): Promise<T> {
  const entityIds = [...new Set(told.map(({ entityId }) => entityId))];
  const watched = new Set(await listWatchedOf(transaction, entityIds));
  const videoIds = new Set(told.filter(({ entityId }) => watched.has(entityId)).map(({ videoId }) => videoId));
  const before = await readEvidenceBefore(transaction, [...videoIds]);
  const written = await write();
  for (const videoId of videoIds) await matchTrackers(transaction, videoId, before);
  return written;
}
