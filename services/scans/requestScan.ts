import { insertOutbox } from "../../database/outbox.ts";
import type { Transaction } from "../../database/pool.ts";
import { queueScan } from "../../database/scans.ts";
import { insertVideoStub } from "../../database/videos.ts";

/**
 * Asks for a preliminary scan of a video, known or not: a new one where the last has ended, else the one that is queued or under way. Its
 * start waits in the outbox for the commit; asking again for one that was lost with its workflow starts it again.
 */
export async function requestScan(transaction: Transaction, videoId: string): Promise<void> {
  await insertVideoStub(transaction, videoId);
  await queueScan(transaction, videoId);
  await insertOutbox(transaction, "scan.start", videoId);
}
