import { changeSchemas, recommendationNumber } from "../../../domain/review/changes.ts";
import { ReviewRefusal } from "../refusal.ts";
import { type Effect, requireInVideo } from "./effect.ts";
import {
  addRow,
  changeRow,
  dropDuplicate,
  type EvidenceRow,
  holdRow,
  moveRow,
  newOwnerOf,
  removeRow,
  shiftRow,
} from "./evidenceRow.ts";
import { placeOf } from "./spoken.ts";

const { recommendation: changes } = changeSchemas;

/** Applies what is said to be wrong with a commercial row. */
export async function applyToRecommendation(effect: Effect<"recommendation">): Promise<void> {
  const { issueType, change, correction } = effect;
  if (issueType === "missing") return addRecommendation(effect);
  const id = recommendationNumber.safeParse(correction.itemId);
  if (!id.success) throw new ReviewRefusal("It names no row; resolve it as `missing`.");
  const row = await holdRow(effect, "recommendation", id.data);
  switch (issueType) {
    case "not_commercial":
      return removeRow(effect, row);
    case "wrong_class":
      return moveRow(effect, row, changes.wrong_class.parse(change));
    case "wrong_entity":
      return giveTo(effect, row, changes.wrong_entity.parse(change).entity_id);
    case "wrong_promo_code":
      return changeRow(effect, row, changes.wrong_promo_code.parse(change));
    case "wrong_offer":
      return changeRow(effect, row, changes.wrong_offer.parse(change));
    case "wrong_quote":
      return changeRow(effect, row, changes.wrong_quote.parse(change));
    case "wrong_timestamp":
      return shiftRow(effect, row, changes.wrong_timestamp.parse(change));
    case "wrong_speaker_role":
      return changeRow(effect, row, changes.wrong_speaker_role.parse(change));
    case "duplicate":
      return dropDuplicate(effect, row, changes.duplicate.parse(change).duplicate_of);
  }
}

/** The row is another entity's. */
export async function giveTo(effect: Effect, row: EvidenceRow, entityId: number): Promise<void> {
  await newOwnerOf(effect, row, entityId);
  await moveRow(effect, row, { entity_id: entityId });
}

async function addRecommendation(effect: Effect): Promise<void> {
  const told = changes.missing.parse(effect.change);
  await requireInVideo(effect, told.video_id, told);
  await addRow(effect, "recommendation", placeOf(effect, told), {
    mention_class: told.mention_class,
    start_seconds: told.start_seconds,
    end_seconds: told.end_seconds,
    verbatim_quote: told.verbatim_quote ?? null,
    promo_code: told.promo_code ?? null,
    offer: told.offer ?? null,
    speaker_role: told.speaker_role ?? null,
    confidence: told.confidence ?? 1,
    conflict_status: "none",
  });
}
