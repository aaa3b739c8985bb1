import { lockIdentities, readNames } from "../../database/imports/entities.ts";
import { saveNames } from "../../database/entityNames.ts";
import type { Transaction } from "../../database/pool.ts";
import {
  alignCopies,
  deleteRow,
  type EvidenceTable,
  insertJournalEntry,
  insertRest,
  insertRow,
  type JournalEntry,
  lockRow,
  type ReviewedTable,
  type RowImage,
  updateRow,
} from "../../database/reviewRows.ts";
import { foldName } from "../../domain/names.ts";
import { mergeEntities } from "../entities/mergeEntities.ts";
import { ReviewRefusal } from "./refusal.ts";

/** Changes rows on behalf of a correction and keeps what was there, in the caller's transaction. */
export interface Journal {
  /** What was done so far, in order. */
  readonly entries: readonly JournalEntry[];
  lock(table: ReviewedTable, key: RowImage): Promise<RowImage | null>;
  /** Changes columns of a row, or adds it; columns that are that already are left alone. */
  put(table: ReviewedTable, key: RowImage, change: RowImage): Promise<void>;
  remove(table: ReviewedTable, key: RowImage): Promise<void>;
  /** Rests on a row as it stands, which is not taken from under it. */
  rest(table: EvidenceTable, key: RowImage): Promise<void>;
  /** Changes what an entity is found by. */
  rename(entityId: number, change: (names: EntityNames) => EntityNames): Promise<void>;
  /** Merges a canonical entity into another, or into what that reads as. */
  merge(fromId: number, intoId: number): Promise<void>;
}

export interface EntityNames {
  name: string;
  aliases: readonly string[];
}

export function openJournal(transaction: Transaction, correctionId: number): Journal {
  const entries: JournalEntry[] = [];
  const keep = async (entry: JournalEntry) => {
    entries.push(entry);
    await insertJournalEntry(transaction, correctionId, entry);
  };
  const lock = (table: ReviewedTable, key: RowImage) => lockRow(transaction, table, key);

  return {
    entries,
    lock,
    async put(table, key, change) {
      const before = await lock(table, key);
      if (before === null) {
        await insertRow(transaction, table, { ...key, ...change });
        await keep({ table, key, before: null, after: await lock(table, key) });
        return;
      }
      await updateRow(transaction, table, key, change);
      if (table === "mention" || table === "recommendation") await alignCopies(transaction, table, Number(key["id"]));
      const after = (await lock(table, key)) ?? {};
      const changed = Object.keys(change).filter((column) => !isSame(before[column], after[column]));
      if (changed.length === 0) throw new ReviewRefusal("It is as the correction says already.");
      await keep({ table, key, before: pick(before, changed), after: pick(after, changed) });
    },
    async remove(table, key) {
      const before = await lock(table, key);
      if (before === null) throw new ReviewRefusal("What it is about is not there any more.");
      await deleteRow(transaction, table, key);
      await keep({ table, key, before, after: null });
    },
    async rest(table, key) {
      const image = await lock(table, key);
      if (image === null) throw new ReviewRefusal("The row that is to stand is not there any more.");
      await insertRest(transaction, correctionId, { table, key, image });
    },
    async rename(entityId, change) {
      await lockIdentities(transaction);
      const before = await namesOf(transaction, entityId);
      const after = change(before);
      await saveNames(transaction, [{ entityId, ...after }]);
      const was = spellings(before);
      const is = spellings(after);
      for (const key of new Set([...was.keys(), ...is.keys()])) {
        const [old, now] = [was.get(key) ?? null, is.get(key) ?? null];
        if (isSame(old, now)) continue;
        await keep({ table: "entity_name", key: { entity_id: entityId, key }, before: old, after: now });
      }
    },
    async merge(fromId, intoId) {
      const { canonicalId } = await mergeEntities(transaction, fromId, intoId);
      const after = { into_id: intoId, canonical_id: canonicalId };
      await keep({ table: "merge", key: { entity_id: fromId }, before: null, after });
    },
  };
}

/** The names that an entity is found by now. */
export async function namesOf(transaction: Transaction, entityId: number): Promise<EntityNames> {
  const names = await readNames(transaction, [entityId]);
  return names.get(entityId) ?? { name: "", aliases: [] };
}

/** Names by what they fold to, as `saveNames` keeps them: the name first, then the first spelling of each alias. */
export function spellings({ name, aliases }: EntityNames): Map<string, { name: string; is_alias: boolean }> {
  const byKey = new Map<string, { name: string; is_alias: boolean }>();
  for (const [text, isAlias] of [[name, false] as const, ...aliases.map((alias) => [alias, true] as const)]) {
    const key = foldName(text);
    if (!byKey.has(key)) byKey.set(key, { name: text, is_alias: isAlias });
  }
  return byKey;
}

function pick(image: RowImage, columns: readonly string[]): RowImage {
  return Object.fromEntries(columns.map((column) => [column, image[column]]));
}

/** Whether two values of JSON are the same, whatever the order of their fields. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
