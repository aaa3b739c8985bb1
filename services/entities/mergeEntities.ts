import { readEntity } from "../../database/entities.ts";
import { countEvidence, lockMembers, lockMerges, mergeEntity } from "../../database/merges.ts";
import type { Transaction } from "../../database/pool.ts";
import { settleReduced } from "../../database/relationChanges.ts";
import { ApiError } from "../../domain/errors.ts";
import { readRelationsAnew } from "../related/readRelationsAnew.ts";

/**
 * Merges an entity into another: from the commit on, reads of the first, and of all that was merged into it, answer with the second, or
 * with what that was merged into. No row of evidence is rewritten, so that the cost does not grow with it. `moved`: mentions and commercial
 * rows that read as another's from now on. Throws `entity_not_found`, and `illegal_transition` where the two are one already, so that no
 * circle can close.
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
  const [fromCanonicalId, canonicalId] = [from.numericId, into.numericId];
  if (fromCanonicalId === canonicalId)
    throw new ApiError("illegal_transition", "The two are one entity already; merging them would close a circle.");
  const memberIds = await lockMembers(transaction, fromCanonicalId, canonicalId);
  const moved = await countEvidence(transaction, fromCanonicalId, memberIds);
  const reduced = await readRelationsAnew(transaction, {
    memberIds,
    currentId: fromCanonicalId,
    targetId: canonicalId,
  });
  await mergeEntity(transaction, { entityId: fromCanonicalId, memberIds }, { parentId: intoId, canonicalId });
  await settleReduced(transaction, reduced);
  return { canonicalId, moved };
}
