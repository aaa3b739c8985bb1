import type { Entity } from "../../../database/entities.ts";
import { lockEvidence } from "../../../database/detectedEvidence.ts";
import { type EvidenceTable, newEvidenceRow, type RowImage } from "../../../database/reviewRows.ts";
import { settlePlace, settleRow } from "../../../database/reviewedEvidence.ts";
import { findAtPlace, findVideoOf } from "../../../database/evidencePlaces.ts";
import { entityId as publicEntityId } from "../../../domain/entities.ts";
import type { SettledKind } from "../../../domain/review/settled.ts";
import { shareVideoCopies } from "../../../database/videoCopies.ts";
import { ReviewRefusal } from "../refusal.ts";
import { type Effect, entityOf, requireInVideo } from "./effect.ts";

/** A row of evidence that a correction is about, held with its video against re-indexing. */
export interface EvidenceRow {
  table: EvidenceTable;
  id: number;
  videoId: string;
  entityId: number;
  kind: SettledKind;
  startSeconds: number | null;
  endSeconds: number | null;
  image: RowImage;
}

/** The row as it is now, held. Throws a refusal where it is gone. */
export async function holdRow(effect: Effect, table: EvidenceTable, id: number): Promise<EvidenceRow> {
  const { transaction, journal } = effect;
  const videoId = await findVideoOf(transaction, table, id);
  // The video first, as re-indexing does.
  if (videoId !== null) await lockEvidence(transaction, videoId);
  await shareVideoCopies(transaction);
  const image = videoId === null ? null : await journal.lock(table, { id });
  if (videoId === null || image === null) throw new ReviewRefusal("The row that it is about is not there any more.");
  return {
    table,
    id,
    videoId,
    entityId: Number(image["entity_id"]),
    kind: table === "recommendation" ? "commercial" : image["is_appearance"] === true ? "appearance" : "mention",
    startSeconds: secondsOf(image["start_seconds"]),
    endSeconds: secondsOf(image["end_seconds"]),
    image,
  };
}

function secondsOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** Takes a row out of the index; detection does not find it again. */
export async function removeRow(effect: Effect, row: EvidenceRow): Promise<void> {
  await forgetPlace(effect, row);
  await effect.journal.remove(row.table, { id: row.id });
}

/** Changes what a row says; detection leaves it as it is. */
export async function changeRow(effect: Effect, row: EvidenceRow, change: RowImage): Promise<void> {
  await effect.journal.put(row.table, { id: row.id }, change);
  await settleRow(effect.transaction, effect.correction.correctionId, { ...row, rowId: row.id });
}

/**
 * Changes whose row it is, or where; detection does not find it at its old place again. Where a row of the same stands there already, this
 * one goes, as it was that one's duplicate.
 */
export async function moveRow(effect: Effect, row: EvidenceRow, change: RowImage): Promise<void> {
  const place = { ...row.image, ...change };
  const standing = await findAtPlace(effect.transaction, row.table, row.id, place);
  if (standing !== null) return dropFor(effect, row, await holdRow(effect, row.table, standing));
  await forgetPlace(effect, row);
  await changeRow(effect, row, change);
}

/** Moves a row to another time of its video. Throws a refusal for one after its end. */
export async function shiftRow(
  effect: Effect,
  row: EvidenceRow,
  place: { start_seconds: number; end_seconds: number },
): Promise<void> {
  await requireInVideo(effect, row.videoId, place);
  await moveRow(effect, row, place);
}

/** Adds a row; detection leaves it as it is. */
export async function addRow(
  effect: Effect,
  table: EvidenceTable,
  place: { videoId: string; entityId: number },
  columns: RowImage,
): Promise<void> {
  const { transaction, journal, correction } = effect;
  await lockEvidence(transaction, place.videoId);
  await shareVideoCopies(transaction);
  const begun = await newEvidenceRow(transaction, table, place);
  if (begun === null) throw new ReviewRefusal("The video or the entity that it names is not in the index.");
  const { id, ...rest } = begun;
  const image = { ...rest, ...columns };
  if ((await findAtPlace(transaction, table, Number(id), image)) !== null)
    throw new ReviewRefusal("What it says is missing is there already.");
  await journal.put(table, { id }, image);
  const kind = table === "recommendation" ? "commercial" : columns["is_appearance"] === true ? "appearance" : "mention";
  await settleRow(transaction, correction.correctionId, { videoId: place.videoId, kind, rowId: Number(id) });
}

/** Takes out a row that says what another one of its video and entity does, and lets that one stand. Throws a refusal where the other is no such row. */
export async function dropDuplicate(effect: Effect, row: EvidenceRow, originalId: number): Promise<void> {
  if (originalId === row.id) throw new ReviewRefusal("A row is no duplicate of itself.");
  const original = await holdRow(effect, row.table, originalId);
  if (original.videoId !== row.videoId) throw new ReviewRefusal("The two are of different videos.");
  const [mine, its] = [await entityOf(effect, row.entityId), await entityOf(effect, original.entityId)];
  if (mine.entity.numericId !== its.entity.numericId)
    throw new ReviewRefusal(
      `The other is of ${publicEntityId(its.entity.numericId)} and so no duplicate; it may be that this one has the wrong entity.`,
    );
  await dropFor(effect, row, original);
}

/** Takes out a row in whose place another one stands, which detection leaves as it is. */
async function dropFor(effect: Effect, row: EvidenceRow, standing: EvidenceRow): Promise<void> {
  await settleRow(effect.transaction, effect.correction.correctionId, { ...standing, rowId: standing.id });
  await effect.journal.rest(standing.table, { id: standing.id });
  await removeRow(effect, row);
}

/** The canonical entity whose row it is said to be. Throws a refusal where it is that one's already, or there is none. */
export async function newOwnerOf(effect: Effect, row: EvidenceRow, entityId: number): Promise<Entity> {
  const [before, after] = [await entityOf(effect, row.entityId), await entityOf(effect, entityId)];
  if (before.entity.numericId === after.entity.numericId)
    throw new ReviewRefusal(`It is ${publicEntityId(after.entity.numericId)}'s already.`);
  return after.entity;
}

async function forgetPlace(
  effect: Effect,
  { id: rowId, videoId, kind, entityId, startSeconds, endSeconds }: EvidenceRow,
): Promise<void> {
  const place = { videoId, kind, entityId, startSeconds, endSeconds, rowId };
  await settlePlace(effect.transaction, effect.correction.correctionId, place);
}
