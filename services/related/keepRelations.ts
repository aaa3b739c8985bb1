import { lockMerges } from "../../database/merges.ts";
import { applyEvidenceChanges } from "../../database/relationChanges.ts";
import {
  deleteGoneRelations,
  findWantedSet,
  insertSet,
  insertWantedSets,
  lockRelations,
  switchSet,
} from "../../database/relationSets.ts";
import type { ServiceContext } from "../context.ts";

/** Brings the sets up to date with some changes of evidence; `more` says whether others may be left. Safe to repeat at any time. */
export async function applyChanges(context: ServiceContext): Promise<{ changes: number; more: boolean }> {
  const { heavyMentions, videosPerStep } = context.settings.relatedLists;
  return context.pool.transaction(async (transaction) => {
    await lockRelations(transaction);
    await lockMerges(transaction);
    const { changes, entityIds, channelIds } = await applyEvidenceChanges(transaction, videosPerStep);
    await insertWantedSets(transaction, { entityIds, channelIds }, heavyMentions);
    return { changes, more: changes > 0 };
  });
}

class Superseded extends Error {}

/**
 * Builds the set that is wanted most, beside the one that is read, and switches over; `built` is false where none was, because none is wanted
 * or a merge meanwhile makes this one wrong, and then it is left for another time. Killed half-way, nothing of it remains.
 */
export async function buildWantedSet(context: ServiceContext): Promise<{ built: boolean; more: boolean }> {
  try {
    return await context.pool.transaction(async (transaction) => {
      await lockRelations(transaction);
      const wanted = await findWantedSet(transaction);
      if (wanted === null) return { built: false, more: false };
      const setId = await insertSet(transaction, wanted);
      await lockMerges(transaction);
      if (!(await switchSet(transaction, setId, wanted))) throw new Superseded();
      return { built: true, more: true };
    });
  } catch (error) {
    if (error instanceof Superseded) return { built: false, more: true };
    throw error;
  }
}

const rowsPerPurge = 20_000;

/** Deletes some rows of sets that are read no more; `more` says whether others may be left. */
export async function purgeRelations(context: ServiceContext): Promise<{ deleted: number; more: boolean }> {
  const deleted = await deleteGoneRelations(context.pool, rowsPerPurge);
  return { deleted, more: deleted > 0 };
}
