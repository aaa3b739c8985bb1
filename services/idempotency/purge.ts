import { deleteStoredAnswers } from "../../database/idempotency.ts";
import type { ServiceContext } from "../context.ts";

const batchSize = 1000;

/**
 * Deletes a batch of idempotency keys that are past their retention; `more` says whether others may be left. Safe from several
 * processes at once, and to repeat.
 */
export async function purgeIdempotencyKeys(
  context: ServiceContext,
  limit: number = batchSize,
): Promise<{ deleted: number; more: boolean }> {
  const { idempotencyRetentionSeconds } = context.settings;
  const before = new Date(context.clock().getTime() - idempotencyRetentionSeconds * 1000);
  const deleted = await deleteStoredAnswers(context.pool, before, limit);
  return { deleted, more: deleted === limit };
}
