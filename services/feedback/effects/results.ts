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
      return journal.put("search_review", { key: keyOf(effect), entity_id: entity.numericId }, { verdict: "pinned" });
    }
    case "duplicate": {
      const { entity } = await entityOf(effect, numberOf(correction.itemId));
      const original = await entityOf(effect, changes.duplicate.parse(change).duplicate_of);
      if (original.entity.numericId === entity.numericId) throw new ReviewRefusal("The two are one entity already.");
      return journal.put("search_review", { key: keyOf(effect), entity_id: entity.numericId }, { verdict: "hidden" });
    }
  }
}

/** Of folded words, which are keys of an index, whose entries have a bound. */
const longestKey = 300;

/** The words of the search, folded. */
function keyOf({ change, query }: Effect): string {
  const q = change?.["q"] ?? query["q"];
  const key = typeof q === "string" ? foldName(q) : "";
  if (key === "") throw new ReviewRefusal("Neither the query nor the change has a `q`.");
  if (key.length > longestKey) throw new ReviewRefusal("The `q` is longer than any that can be searched for.");
  return key;
}
