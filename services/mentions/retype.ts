import { deleteRetypedEntity, lockRetypedEntity, retypeMentions } from "../../database/retypedEntities.ts";
import type { ServiceContext } from "../context.ts";

const batchSize = 2000;

/**
 * Rewrites the group that a batch of mentions carries, of an entity that was retyped or merged with one of another group. Lists are right
 * before and after; after, those by type are cheap again. `more` says whether others may be left. Safe from several processes at once, and
 * to repeat.
 */
export async function retypeMentionBatch(
  { pool }: ServiceContext,
  limit: number = batchSize,
): Promise<{ mentions: number; more: boolean }> {
  return pool.transaction(async (transaction) => {
    const entity = await lockRetypedEntity(transaction);
    if (entity === null) return { mentions: 0, more: false };
    const mentions = await retypeMentions(transaction, entity, limit);
    if (mentions < limit) await deleteRetypedEntity(transaction, entity.entityId);
    return { mentions, more: true };
  });
}
