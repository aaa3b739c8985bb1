import { sql, type Transaction } from "./pool.ts";

/**
 * For transactions that write rows with copies of their video's channel and time: from here to the end of the transaction no video changes
 * them. Has to come before the statement that reads the video. The other side of the lock is the trigger `video_copies` (migration 0010).
 */
export async function shareVideoCopies(transaction: Transaction): Promise<void> {
  await transaction.query(sql.typeAlias("void")`select from pg_advisory_xact_lock_shared(7428)`);
}
