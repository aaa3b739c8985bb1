import { countRecommendations, lockMerges, mergeEntity, readEntity } from "../../database/entities.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";

/**
 * Merges an entity into another: from the commit on, reads of the first, and of all that was merged into it, answer with the second, or
 * with what that was merged into. `moved` counts its mentions and commercial rows, which are now read as the other's. Throws `entity_not_found`, and `illegal_transition` where the two are one already, so that no circle
 * can close.
 */
export async function mergeEntities(
  transaction: Transaction,
  fromId: number,
  intoId: number,
): Promise<{ canonicalId: number; moved: number }> {
  await lockMerges(transaction);
  const from = await readEntity(transaction, fromId);
  const into = await readEntity(transaction, intoId);
  if (from === null || into === null) throw new ApiError("entity_not_found");
  if (from.numericId === into.numericId)
    throw new ApiError("illegal_transition", "The two are one entity already; merging them would close a circle.");
  const moved = from.mentionCount + (await countRecommendations(transaction, from.numericId));
  await mergeEntity(transaction, from.numericId, into.numericId);
  return { canonicalId: into.numericId, moved };
}
