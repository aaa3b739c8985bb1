import { listSearchReviews } from "../../../database/entitySearch.ts";
import { entityId } from "../../../domain/entities.ts";
import { changeSchemas } from "../../../domain/review/changes.ts";
import { foldName } from "../../../domain/names.ts";
import { ReviewRefusal } from "../refusal.ts";
import { type Effect, entityOf, numberOf, recordFinding } from "./effect.ts";

const { result: changes } = changeSchemas;

/** Applies what is said to be wrong with the results of a search: to searches for the same words. */
export async function applyToResult(effect: Effect<"result">): Promise<void> {
  const { issueType, change, correction, journal } = effect;
  switch (issueType) {
    case "irrelevant":
    case "wrong_rank":
      return recordFinding(effect);
    case "missing_result": {
      const { entity } = await entityOf(effect, changes.missing_result.parse(change).entity_id);
      const verdict = { verdict: "pinned", duplicate_of_id: null };
      return journal.put("search_review", { key: keyOf(effect), entity_id: entity.numericId }, verdict);
    }
    case "duplicate": {
      const key = keyOf(effect);
      const { entity } = await entityOf(effect, numberOf(correction.itemId));
      const original = await entityOf(effect, changes.duplicate.parse(change).duplicate_of);
      const originalId = original.entity.numericId;
      if (originalId === entity.numericId) throw new ReviewRefusal("The two are one entity already.");
      await requireResult(effect, key, originalId);
      const verdict = { verdict: "hidden", duplicate_of_id: originalId };
      return journal.put("search_review", { key, entity_id: entity.numericId }, verdict);
    }
  }
}

/** Throws a refusal for an entity that the search leaves out as a duplicate: with what is its duplicate, neither would be left. */
async function requireResult({ transaction }: Effect, key: string, id: number): Promise<void> {
  const reviews = await listSearchReviews(transaction, key, { group: null, hasRecommendations: null });
  const leftOut = reviews.find(({ entityId, isPinned }) => entityId === id && !isPinned);
  if (leftOut === undefined) return;
  const { duplicateOfId } = leftOut;
  throw new ReviewRefusal(
    duplicateOfId === null
      ? `${entityId(id)} is left out of that search as a duplicate itself; name what is listed there instead.`
      : `${entityId(id)} is left out of that search as a duplicate of ${entityId(duplicateOfId)}; name what is listed there instead, or revert that first.`,
  );
}

/** The words of the search, folded. */
function keyOf({ change, query }: Effect): string {
  const q = change?.["q"] ?? query["q"];
  const key = typeof q === "string" ? foldName(q) : "";
  if (key === "") throw new ReviewRefusal("The query has no `q`; accept it with changes that name it.");
  return key;
}
