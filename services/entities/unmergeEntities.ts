import { findMergedInto, lockMembers, lockMerges, readCanonical, unmergeEntity } from "../../database/merges.ts";
import type { Transaction } from "../../database/pool.ts";
import { settleReduced } from "../../database/relationChanges.ts";
import { ApiError } from "../../domain/errors.ts";
import { readRelationsAnew } from "../related/readRelationsAnew.ts";

/**
 * Takes back the merge of an entity: it is canonical again, and what was merged into it before and after goes with it. What it was merged
 * into keeps the rest. `moved`: mentions that read as its own again. Throws `entity_not_found`, and `illegal_transition` for an entity that
 * is not merged.
 */
export async function unmergeEntities(transaction: Transaction, entityId: number): Promise<{ moved: number }> {
  await lockMerges(transaction);
  const place = await readCanonical(transaction, entityId);
  if (place === null) throw new ApiError("entity_not_found");
  const { canonicalId } = place;
  if (canonicalId === null) throw new ApiError("illegal_transition", "This entity is not merged into another.");
  await lockMembers(transaction, canonicalId, canonicalId);
  const memberIds = await findMergedInto(transaction, entityId);
  const reduced = await readRelationsAnew(transaction, { memberIds, currentId: canonicalId, targetId: entityId });
  const moved = await unmergeEntity(transaction, { entityId, memberIds, canonicalId });
  await settleReduced(transaction, reduced);
  return { moved };
}
