import { z } from "zod";
import { sql, type Transaction } from "../pool.ts";

const locked = z.unknown();

/**
 * For a batch of evidence, before it holds anything else: to its end no review is applied or reverted (the other side is `lockReviewedRows`,
 * which reviews take first too), and no video changes what rows copy of it (`shareVideoCopies`).
 */
export async function shareForEvidence(transaction: Transaction): Promise<void> {
  await transaction.query(
    sql.type(locked)`select pg_advisory_xact_lock_shared(7431), pg_advisory_xact_lock_shared(7428)`,
  );
}

/** For a batch of entities, likewise; and one such batch at a time decides which entity a row means (`lockIdentities`). */
export async function lockForEntities(transaction: Transaction): Promise<void> {
  await transaction.query(sql.type(locked)`select pg_advisory_xact_lock_shared(7431), pg_advisory_xact_lock(7429)`);
}
