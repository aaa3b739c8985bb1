import type { Transaction } from "../../database/pool.ts";
import { applyNewReading, type NewReading, type ReducedPair } from "../../database/relationChanges.ts";
import { deleteSetsOf, dropSetsWith, hasReadySets, weighEvidence } from "../../database/relationSets.ts";

/** Most evidence of an entity that a merge looks at; it keeps merges well below a second. */
const patchedMentions = 500;

/**
 * Keeps the sets of related entities right through a merge or its undoing that is about to be written: with little evidence they take the
 * difference, with much those that it concerns are dropped, and reads count live until they are built anew. Returns what to settle once
 * it is written. The caller holds the lock of merges.
 */
export async function readRelationsAnew(
  transaction: Transaction,
  reading: NewReading,
): Promise<readonly ReducedPair[]> {
  const isMerge = reading.memberIds.includes(reading.currentId);
  if (isMerge) await deleteSetsOf(transaction, reading.currentId);
  if (!(await hasReadySets(transaction))) return [];
  const weight = await weighEvidence(transaction, reading.memberIds, patchedMentions + 1);
  if (weight <= patchedMentions) return applyNewReading(transaction, reading);
  await dropSetsWith(transaction, reading.currentId, reading.targetId);
  return [];
}
