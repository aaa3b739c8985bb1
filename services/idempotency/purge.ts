import { deleteStoredAnswers } from "../../database/idempotency.ts";
import type { Pool } from "../../database/pool.ts";

/** Deletes up to `limit` idempotency keys stored before `before`; returns how many. Safe from several processes at once. */
export async function purgeIdempotencyKeys(pool: Pool, before: Date, limit: number): Promise<number> {
  return deleteStoredAnswers(pool, before, limit);
}
