import { saveNames } from "../../database/entityNames.ts";
import { lockIdentities } from "../../database/imports/entities.ts";
import { findAtPlace, lockVideosOf } from "../../database/evidencePlaces.ts";
import { changeAside, forgetUnjudged, lockAside, placeAsJudged } from "../../database/judgedWords.ts";
import { lockMerges, readCanonical } from "../../database/merges.ts";
import type { Queryable, Transaction } from "../../database/pool.ts";
import { unsettle } from "../../database/reviewedEvidence.ts";
import {
  alignCopies,
  copiesOf,
  deleteRow,
  endJournal,
  insertRow,
  type JournalEntry,
  listJournal,
  listLastApplied,
  lockRow,
  readLaterCorrection,
  type ReviewedTable,
  type RowImage,
  updateRow,
} from "../../database/reviewRows.ts";
import { readMergedInto } from "../../database/mergedInto.ts";
import { entityId } from "../../domain/entities.ts";
import { mentionId, recommendationId } from "../../domain/evidence.ts";
import { unmergeEntities } from "../entities/unmergeEntities.ts";
import { isSame, namesOf, spellings } from "./journal.ts";
import { ReviewRefusal } from "./refusal.ts";

/** Corrections in the order in which reverting them does not meet one with another of them on it: the last applied first. */
export async function inOrderOfRevert<C extends { correctionId: number }>(
  db: Queryable,
  corrections: readonly C[],
): Promise<readonly C[]> {
  const lastFirst = await listLastApplied(
    db,
    corrections.map(({ correctionId }) => correctionId),
  );
  return corrections.toSorted((a, b) => lastFirst.indexOf(a.correctionId) - lastFirst.indexOf(b.correctionId));
}

/**
 * Restores exactly what applying a correction changed, in the caller's transaction. Throws `ReviewRefusal` where something changed it again
 * since; then nothing is restored.
 */
export async function revertCorrection(
  transaction: Transaction,
  correctionId: number,
): Promise<readonly JournalEntry[]> {
  const entries = await listJournal(transaction, correctionId);
  await lockVideosOf(transaction, correctionId);
  await unsettle(transaction, correctionId);
  for (const entry of entries) {
    const { table } = entry;
    if (table === "merge") await revertMerge(transaction, entry);
    else if (table !== "entity_name") await revertRow(transaction, table, entry);
  }
  await revertNames(
    transaction,
    entries.filter(({ table }) => table === "entity_name"),
  );
  // A later correction may have brought back the very values that this one left, and needs them to be taken back itself.
  const later = await readLaterCorrection(transaction, correctionId);
  if (later !== null) {
    const did = later.isRest ? "took another row for a duplicate of it" : "changed the same";
    throw new ReviewRefusal(`Correction ${later.correctionId} ${did} since; revert that first.`);
  }
  await endJournal(transaction, correctionId);
  const mentions = entries.filter(({ table }) => table === "mention");
  await forgetUnjudged(
    transaction,
    mentions.map(({ key }) => Number(key["id"])),
  );
  return entries;
}

async function revertRow(transaction: Transaction, table: ReviewedTable, entry: JournalEntry): Promise<void> {
  const { key, before, after } = entry;
  const aside = table === "mention" ? await lockAside(transaction, Number(key["id"])) : null;
  const now = aside ?? (await lockRow(transaction, table, key));
  const seen = now === null || after === null ? now : pick(now, Object.keys(after));
  if (!isSame(content(table, seen), content(table, after))) throw changedSince(table, key, seen, after);
  // Its words are not in the text now: it stays out of the index, and comes back with them as it was.
  if (aside !== null && before !== null) return changeAside(transaction, Number(key["id"]), before);
  const isEvidence = table === "mention" || table === "recommendation";
  if (isEvidence && before !== null) {
    const place = { ...now, ...before };
    if ((await findAtPlace(transaction, table, Number(key["id"]), place)) !== null)
      throw new ReviewRefusal(`${nameOf(table, key)} cannot go back: another row stands at its place by now.`);
  }
  if (before === null) await deleteRow(transaction, table, key);
  else if (after === null) await insertRow(transaction, table, before);
  else await updateRow(transaction, table, key, before);
  if (isEvidence && before !== null) await alignCopies(transaction, table, Number(key["id"]));
  if (table === "mention" && after === null) await placeAsJudged(transaction, Number(key["id"]));
}

function changedSince(
  table: ReviewedTable,
  key: RowImage,
  seen: RowImage | null,
  after: RowImage | null,
): ReviewRefusal {
  if (seen === null)
    return new ReviewRefusal(`${nameOf(table, key)} is not there any more: a later change took it away.`);
  if (after === null) return new ReviewRefusal(`${nameOf(table, key)} is there again: a later change brought it back.`);
  const columns = Object.keys(after).filter((column) => !isSame(seen[column], after[column]));
  return new ReviewRefusal(`${nameOf(table, key)} was changed again since (${columns.join(", ")}); revert that first.`);
}

function nameOf(table: ReviewedTable, key: RowImage): string {
  switch (table) {
    case "mention":
      return mentionId(Number(key["id"]));
    case "recommendation":
      return recommendationId(Number(key["id"]));
    case "entity":
      return entityId(Number(key["id"]));
    case "channel":
      return `Channel ${String(key["id"])}`;
    case "alert_occurrence":
      return `Alert ${String(key["id"])}`;
    case "known_advertiser":
    case "sponsor_review":
      return `Sponsor ${entityId(Number(key["entity_id"]))} of ${String(key["channel_id"])}`;
    case "search_review":
      return `The place of ${entityId(Number(key["entity_id"]))} among the results`;
    case "review_finding":
      return "What was recorded";
  }
}

function content(table: ReviewedTable, image: RowImage | null): RowImage | null {
  if (image === null) return null;
  const copies = copiesOf(table);
  return Object.fromEntries(Object.entries(image).filter(([column]) => !copies.includes(column)));
}

function pick(image: RowImage, columns: readonly string[]): RowImage {
  return Object.fromEntries(columns.map((column) => [column, image[column]]));
}

async function revertMerge(transaction: Transaction, { key, after }: JournalEntry): Promise<void> {
  const [mergedId, intoId] = [Number(key["entity_id"]), Number(after?.["into_id"])];
  await lockMerges(transaction);
  if ((await readMergedInto(transaction, mergedId)) !== intoId)
    throw new ReviewRefusal(`${entityId(mergedId)} was taken out of that merge since.`);
  const readsAs = (await readCanonical(transaction, intoId))?.canonicalId ?? intoId;
  // What it was merged into may have left a merge of its own since, but not have come into another.
  if (readsAs !== intoId && readsAs !== Number(after?.["canonical_id"]))
    throw new ReviewRefusal(
      `${entityId(intoId)} was merged since, and reads as ${entityId(readsAs)}; that merge goes first.`,
    );
  await unmergeEntities(transaction, mergedId);
}

async function revertNames(transaction: Transaction, entries: readonly JournalEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await lockIdentities(transaction);
  for (const [id, changes] of Map.groupBy(entries, ({ key }) => Number(key["entity_id"]))) {
    const names: Map<string, unknown> = spellings(await namesOf(transaction, id));
    for (const { key, before, after } of changes) {
      const name = String(key["key"]);
      if (!isSame(names.get(name) ?? null, after))
        throw new ReviewRefusal(`The names of ${entityId(id)} were changed again since; revert that first.`);
      if (before === null) names.delete(name);
      else names.set(name, before);
    }
    const restored = [...names.values()].flatMap((value) => nameRow(value) ?? []);
    const own = restored.find(({ isAlias }) => !isAlias);
    if (own === undefined) throw new ReviewRefusal(`${entityId(id)} was renamed since; revert that first.`);
    const aliases = restored.filter(({ isAlias }) => isAlias).map(({ name }) => name);
    await saveNames(transaction, [{ entityId: id, name: own.name, aliases }]);
  }
}

function nameRow(value: unknown): { name: string; isAlias: boolean } | null {
  if (typeof value !== "object" || value === null || !("name" in value) || !("is_alias" in value)) return null;
  return { name: String(value.name), isAlias: value.is_alias === true };
}
