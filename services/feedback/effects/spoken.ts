import { lockEvidence } from "../../../database/detectedEvidence.ts";
import { findAppearance } from "../../../database/evidencePlaces.ts";
import { entityId as publicEntityId } from "../../../domain/entities.ts";
import { mentionId } from "../../../domain/evidence.ts";
import { changeSchemas, mentionNumber } from "../../../domain/review/changes.ts";
import { ReviewRefusal } from "../refusal.ts";
import { type Effect, entityOf, numberOf, requireInVideo } from "./effect.ts";
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

const { mention: ofMention, appearance: ofAppearance } = changeSchemas;

/** Applies what is said to be wrong with a mention. */
export async function applyToMention(effect: Effect<"mention">): Promise<void> {
  const { issueType, change } = effect;
  if (issueType === "missing") return addMention(effect);
  const row = await holdMention(effect);
  switch (issueType) {
    case "not_mentioned":
      return removeRow(effect, row);
    case "wrong_entity":
      return giveTo(effect, row, ofMention.wrong_entity.parse(change).entity_id);
    case "wrong_timestamp":
      return shiftRow(effect, row, ofMention.wrong_timestamp.parse(change));
    case "wrong_sentiment":
      return changeRow(effect, row, ofMention.wrong_sentiment.parse(change));
    case "wrong_quote":
      return changeRow(effect, row, ofMention.wrong_quote.parse(change));
    case "duplicate":
      return dropDuplicate(effect, row, ofMention.duplicate.parse(change).duplicate_of);
  }
}

/** Applies what is said to be wrong with an appearance. */
export async function applyToAppearance(effect: Effect<"appearance">): Promise<void> {
  const { issueType, change } = effect;
  if (issueType === "missing") return addAppearance(effect);
  const row = await holdMention(effect);
  if (row.kind !== "appearance") throw new ReviewRefusal("The row that it is about is no appearance.");
  switch (issueType) {
    case "person_not_present":
      return removeRow(effect, row);
    case "wrong_person":
      return giveTo(effect, row, ofAppearance.wrong_person.parse(change).entity_id);
    case "wrong_appearance_role":
      return changeRow(effect, row, { appearance_role: ofAppearance.wrong_appearance_role.parse(change).role });
    case "wrong_timestamp":
      return shiftRow(effect, row, ofAppearance.wrong_timestamp.parse(change));
  }
}

async function holdMention(effect: Effect): Promise<EvidenceRow> {
  const id = mentionNumber.safeParse(effect.correction.itemId);
  if (!id.success) throw new ReviewRefusal("It names no row; resolve it as `missing`.");
  return holdRow(effect, "mention", id.data);
}

/** The row is another entity's; of an appearance another person's. */
async function giveTo(effect: Effect, row: EvidenceRow, entityId: number): Promise<void> {
  const owner = await newOwnerOf(effect, row, entityId);
  if (row.kind === "appearance") {
    if (owner.type !== "person") throw new ReviewRefusal("Only persons appear.");
    await requireAbsent(effect, row.videoId, entityId, row.id);
  }
  // Who speaks in an appearance is who appears.
  const speaker = row.image["speaker_entity_id"] === row.entityId ? { speaker_entity_id: entityId } : {};
  await moveRow(effect, row, { entity_id: entityId, ...(row.kind === "appearance" && speaker) });
}

async function addMention(effect: Effect): Promise<void> {
  const told = ofMention.missing.parse(effect.change);
  await requireInVideo(effect, told.video_id, told);
  await addRow(effect, "mention", placeOf(effect, told), {
    ...wordsOf(told),
    in_ad: told.in_ad ?? false,
    sentiment_score: told.sentiment_score ?? null,
    is_appearance: false,
  });
}

async function addAppearance(effect: Effect): Promise<void> {
  const told = ofAppearance.missing.parse(effect.change);
  const place = placeOf(effect, told);
  const { entity } = await entityOf(effect, place.entityId);
  if (entity.type !== "person") throw new ReviewRefusal("Only persons appear.");
  await requireInVideo(effect, told.video_id, told);
  await lockEvidence(effect.transaction, place.videoId);
  await requireAbsent(effect, place.videoId, place.entityId, null);
  const columns = { ...wordsOf(told), in_ad: false, is_appearance: true, appearance_role: told.role ?? null };
  await addRow(effect, "mention", place, columns);
}

/** Throws a refusal where a person appears in a video already, but for the row `exceptId`: one does so once, as detection has it. */
async function requireAbsent(effect: Effect, videoId: string, person: number, exceptId: number | null): Promise<void> {
  const { entity, memberIds } = await entityOf(effect, person);
  const present = await findAppearance(effect.transaction, videoId, memberIds, exceptId);
  if (present === null) return;
  const instead =
    exceptId === null ? "correct that row instead" : "take this row out with `person_not_present`, or correct that one";
  throw new ReviewRefusal(
    `${publicEntityId(entity.numericId)} appears in the video already: ${mentionId(present)}; ${instead}.`,
  );
}

interface ToldRow {
  video_id: string;
  entity_id?: number | undefined;
  start_seconds: number;
  end_seconds: number;
  quote: string;
  confidence?: number | undefined;
}

function wordsOf({ start_seconds, end_seconds, quote, confidence = 1 }: ToldRow) {
  return { start_seconds, end_seconds, quote, confidence };
}

/** Of a missing row: its video, and the entity that the change names, else the item. */
export function placeOf(
  { correction: { itemId } }: Effect,
  told: { video_id: string; entity_id?: number | undefined },
): { videoId: string; entityId: number } {
  const entityId = told.entity_id ?? (itemId.startsWith("ent_") ? numberOf(itemId) : null);
  if (entityId === null)
    throw new ReviewRefusal("It does not say of which entity a row is missing: the change has no `entity_id`.");
  return { videoId: told.video_id, entityId };
}
