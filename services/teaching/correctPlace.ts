import type { Transaction } from "../../database/pool.ts";
import { listNamedIn } from "../../database/segmentEvidence.ts";
import type { TaughtName } from "../../database/taughtNames.ts";
import { AnchorMismatch } from "../../domain/bareRefusals.ts";
import { contentHash } from "../../domain/contentHash.ts";
import { ReviewedWords } from "../../domain/corrections/entityTag.ts";
import type { Segment } from "../../domain/corrections/types.ts";
import { entityId } from "../../domain/entities.ts";
import { findWrong, replaceWords, type WordsHit } from "../../domain/teaching/sameWords.ts";
import type { PlaceReason } from "../../domain/teaching/states.ts";
import { correctAsReviewer } from "../corrections/correct.ts";
import type { CorrectionRequest } from "../corrections/request.ts";

/** What was done at a segment: the corrections that were made, or why none was. */
export type PlaceOutcome = { isCorrected: true; correctionIds: string[] } | { isCorrected: false; reason: PlaceReason };

/**
 * Corrects a segment as the name was taught, in the caller's transaction, which holds the transcript: its wrong words become the right ones, by
 * one `line_edit`; words that are right and only name the entity are tagged, by one `entity_tag` each. Where people said something else of the
 * words, they are left alone.
 */
export async function correctPlace(
  transaction: Transaction,
  name: TaughtName,
  videoId: string,
  segment: Segment,
): Promise<PlaceOutcome> {
  const hits = findWrong(segment.text, name);
  if (hits.length === 0) return { isCorrected: false, reason: "edited_meanwhile" };
  const free = hits.filter((hit) => !saysOtherwise(segment, hit, name.entity.numericId));
  if (free.length === 0) return { isCorrected: false, reason: "told_otherwise" };
  const anchor = { segmentId: segment.id, contentHash: contentHash(segment.text) };
  const { rightWords } = name;
  if (rightWords !== null) {
    const text = replaceWords(segment.text, free, rightWords);
    return make(transaction, name, videoId, [{ kind: "line_edit", revision: 1, anchor, text }]);
  }
  const named = await listNamedIn(transaction, videoId, [segment.id]);
  const unnamed = free.filter(
    (hit) => !named.some((one) => one.entityId === name.entity.numericId && overlap(one, hit)),
  );
  if (unnamed.length === 0) return { isCorrected: false, reason: "already_named" };
  const tags = unnamed.map((hit): CorrectionRequest => {
    const tag = { ...hit, entityId: name.entity.numericId, action: "add" as const };
    return { kind: "entity_tag", revision: 1, anchor, tag };
  });
  return make(transaction, name, videoId, tags);
}

async function make(
  transaction: Transaction,
  name: TaughtName,
  videoId: string,
  corrections: readonly CorrectionRequest[],
): Promise<PlaceOutcome> {
  const correctionIds: string[] = [];
  for (const correction of corrections) {
    try {
      correctionIds.push(
        await correctAsReviewer(transaction, videoId, { correction, note: noteOf(name), asked: askedOf(correction) }),
      );
    } catch (error) {
      // Told before anything is written: what was made until then stands.
      if (!(error instanceof AnchorMismatch) && !(error instanceof ReviewedWords)) throw error;
    }
  }
  return correctionIds.length > 0 ? { isCorrected: true, correctionIds } : { isCorrected: false, reason: "refused" };
}

/** As the API would be asked for it. */
function askedOf(correction: CorrectionRequest): string {
  if (correction.kind !== "entity_tag") return JSON.stringify(correction);
  const { tag, ...asked } = correction;
  return JSON.stringify({ ...asked, ...tag, entityId: entityId(tag.entityId) });
}

function noteOf({ id, wrongWords, rightWords, entity }: TaughtName): string {
  return rightWords === null
    ? `Taught name ${id}: "${wrongWords}" names ${entity.name}.`
    : `Taught name ${id}: "${wrongWords}" is "${rightWords}".`;
}

function saysOtherwise({ tags }: Segment, hit: WordsHit, entity: number): boolean {
  return tags.some((tag) => overlap(tag, hit) && (tag.action === "remove" || tag.entityId !== entity));
}

function overlap(a: WordsHit, b: WordsHit): boolean {
  return a.charStart < b.charEnd && b.charStart < a.charEnd;
}
