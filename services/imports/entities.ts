import { saveNames, type NamedEntity } from "../../database/entityNames.ts";
import {
  type Corrected,
  findMeant,
  type FoundEntity,
  insertEntities,
  listCorrected,
  readNames,
  takenSlugs,
  updateEntities,
} from "../../database/imports/entities.ts";
import { lockForEntities } from "../../database/imports/locks.ts";
import type { Transaction } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import type { EntityRow } from "../../domain/imports/rows.ts";
import { foldName, slugOf } from "../../domain/names.ts";
import type { RowWriter, Written } from "./importRows.ts";

/** Which entity each row became or changed, in the order of the rows; null where the row was refused. */
export type WrittenEntities = Written & { entityIds: readonly (number | null)[] };

export const entityWriter: RowWriter<EntityRow> = {
  write: writeEntities,
  // Owners may be named by an earlier line, so batches follow one another.
  batchesAtOnce: 1,
  keysOf: (row) => {
    const given = [
      row.numeric_id == null ? null : `number ${row.numeric_id}`,
      row.platform_id == null ? null : `platform ${row.platform_id}`,
      row.slug == null ? null : `slug ${row.slug}`,
    ].filter((key) => key !== null);
    const name = `name ${row.type} ${foldName(row.name)}`;
    return {
      needs: given.length === 0 ? [name] : given,
      claims: [...given, name, ...(row.slug == null ? [`slug ${slugOf(row.name)}`] : [])],
    };
  },
};

/**
 * Adds the entities that are not there and changes those that are (`findMeant` says which are meant); what a row leaves out stays, and so
 * does what corrections in force have put right. A row is refused where its owner is unknown, and where its slug or its place on a platform is another's.
 */
export async function writeEntities(transaction: Transaction, rows: readonly EntityRow[]): Promise<WrittenEntities> {
  await lockForEntities(transaction);
  const added: { index: number; row: EntityRow }[] = [];
  const changed = new Map<number, number>();
  const later: number[] = [];
  const refused: { index: number; reason: string }[] = [];
  const numbersBefore = new Set<number>();
  for (const found of await findMeant(transaction, rows)) {
    const { index, entityId } = found;
    const row = rows[index];
    if (row === undefined) continue;
    const reason = whyRefused(row, found, numbersBefore);
    if (reason !== null) refused.push({ index, reason });
    else if (entityId === null) added.push({ index, row });
    else if (changed.has(entityId)) later.push(index);
    else changed.set(entityId, index);
    if (reason === null && row.numeric_id != null) numbersBefore.add(row.numeric_id);
  }
  const changes = [...changed].flatMap(([id, index]) => ({ index, row: rows[index], id }));
  const entityIds = Array.from(rows, (): number | null => null);
  const addedIds = await addEntities(
    transaction,
    added.map(({ row }) => row),
  );
  for (const [n, { index }] of added.entries()) entityIds[index] = addedIds[n] ?? null;
  for (const { index, id } of changes) entityIds[index] = id;
  let imported = added.length;
  let { updated, settled } = await changeEntities(
    transaction,
    changes.flatMap(({ row, id }) => (row === undefined ? [] : [{ ...row, id }])),
  );
  // Two rows that mean one entity by different marks: the second finds what the first has made of it.
  if (later.length > 0) {
    const rest = await writeEntities(
      transaction,
      later.flatMap((index) => rows[index] ?? []),
    );
    imported += rest.imported;
    updated += rest.updated;
    settled += rest.settled;
    for (const { index, reason } of rest.refused) refused.push({ index: later[index] ?? 0, reason });
    for (const [n, id] of rest.entityIds.entries()) entityIds[later[n] ?? 0] = id;
  }
  return { imported, updated, settled, refused, entityIds };
}

/** Adds entities that are known to be new, each under its own slug or one made from its name; returns their numbers. */
export async function addEntities(transaction: Transaction, rows: readonly EntityRow[]): Promise<number[]> {
  if (rows.length === 0) return [];
  const slugs = await chooseSlugs(transaction, rows);
  const ids = await insertEntities(
    transaction,
    rows.map((row, n) => ({ ...row, slug: slugs[n] ?? "" })),
  );
  await saveNames(
    transaction,
    rows.map(({ name, aliases }, n) => ({ entityId: ids[n] ?? 0, name, aliases: aliases ?? [] })),
  );
  return ids;
}

function whyRefused(row: EntityRow, found: FoundEntity, numbersBefore: ReadonlySet<number>): string | null {
  const holds = (holderId: number | null) => holderId !== null && holderId !== found.entityId;
  if (row.owner != null && row.owner === (found.entityId ?? row.numeric_id)) return "owner: must be another entity";
  if (!found.ownerKnown && !numbersBefore.has(row.owner ?? 0))
    return `owner: no entity is ${entityId(row.owner ?? 0)}; import it first, an earlier line of this file will do`;
  if (holds(found.slugHolderId))
    return `slug: is that of ${entityId(found.slugHolderId ?? 0)}; choose another, or leave it out to have one made`;
  if (holds(found.platformHolderId))
    return `platform_id: is that of ${entityId(found.platformHolderId ?? 0)}; leave numeric_id out to change that one`;
  return null;
}

async function changeEntities(
  transaction: Transaction,
  rows: readonly (EntityRow & { id: number })[],
): Promise<Pick<Written, "updated" | "settled">> {
  if (rows.length === 0) return { updated: 0, settled: 0 };
  const names = await readNames(
    transaction,
    rows.map(({ id }) => id),
  );
  const told = rows.map((row) => {
    const before = names.get(row.id) ?? { name: "", aliases: [] };
    return { row, before, wanted: { name: row.name, aliases: row.aliases ?? before.aliases } };
  });
  const corrected = await listCorrected(
    transaction,
    told.map(({ row, before, wanted }) => ({ id: row.id, nameKeys: new Set([before, wanted].flatMap(keysOf)) })),
  );
  const changes = told.map(({ row, before, wanted }) => {
    const right = corrected.get(row.id);
    return right === undefined
      ? { row, before, after: wanted, isSettled: false }
      : withoutCorrected(row, { before, wanted }, right);
  });
  const changed = await updateEntities(
    transaction,
    changes.map(({ row }) => row),
  );
  const renamed = changes.flatMap(({ row, before, after }): NamedEntity[] =>
    listNames(before) === listNames(after) ? [] : [{ entityId: row.id, ...after }],
  );
  if (renamed.length > 0) await saveNames(transaction, renamed);
  return {
    updated: new Set([...changed, ...renamed.map((entity) => entity.entityId)]).size,
    settled: changes.filter(({ isSettled }) => isSettled).length,
  };
}

interface Names {
  name: string;
  aliases: readonly string[];
}

/** What a row changes of an entity beside what corrections have put right, and whether it says anything else of that. */
function withoutCorrected(
  row: EntityRow & { id: number },
  { before, wanted }: { before: Names; wanted: Names },
  { columns, nameKeys }: Corrected,
) {
  const isRight = (alias: string) => nameKeys.has(foldName(alias));
  const after = {
    name: columns.has("name") ? before.name : wanted.name,
    aliases: [...wanted.aliases.filter((alias) => !isRight(alias)), ...before.aliases.filter(isRight)],
  };
  const left = (["name", "type", "url", "image_url", "owner"] as const).flatMap((field) => {
    const column = field === "owner" ? "owner_id" : field;
    return columns.has(column) ? [{ field, right: columns.get(column) ?? null }] : [];
  });
  const says = left.some(({ field, right }) => row[field] != null && String(row[field]) !== right);
  return {
    row: { ...row, ...Object.fromEntries(left.map(({ field }) => [field, null])) },
    before,
    after,
    isSettled: says || listNames(after) !== listNames(wanted),
  };
}

function keysOf({ name, aliases }: Names): string[] {
  return [name, ...aliases].map((each) => foldName(each));
}

/** Names in the form in which two lists of them are the same: by what they fold to, the first spelling of each. */
function listNames({ name, aliases }: Names): string {
  const spellings = new Map<string, string>();
  for (const each of [name, ...aliases]) {
    const key = foldName(each);
    if (!spellings.has(key)) spellings.set(key, each);
  }
  const [first, ...others] = [...spellings].map((pair) => JSON.stringify(pair));
  return [first, ...others.sort()].join();
}

/** An address for each row: its own, else `name`, else the first of `name-2`, `name-3`, … that is free. */
async function chooseSlugs(transaction: Transaction, rows: readonly EntityRow[]): Promise<string[]> {
  const chosen: (string | null)[] = rows.map(({ slug }) => slug ?? null);
  const used = new Set(chosen.filter((slug) => slug !== null));
  const waiting = new Map<string, number[]>();
  for (const [n, row] of rows.entries()) {
    if (row.slug != null) continue;
    const base = slugOf(row.name);
    waiting.set(base, [...(waiting.get(base) ?? []), n]);
  }
  // Each round looks at twice as many numbers, so that names with thousands of bearers take few rounds.
  for (let [from, size] = [1, 4]; waiting.size > 0; from += size, size *= 2) {
    const candidates = new Map(
      [...waiting.keys()].map((base) => [base, Array.from({ length: size }, (_, i) => numbered(base, from + i))]),
    );
    const taken = await takenSlugs(transaction, [...candidates.values()].flat());
    for (const [base, bearers] of waiting) {
      for (const slug of candidates.get(base) ?? []) {
        if (taken.has(slug) || used.has(slug)) continue;
        const n = bearers.shift();
        if (n === undefined) break;
        chosen[n] = slug;
        used.add(slug);
      }
      if (bearers.length === 0) waiting.delete(base);
    }
  }
  return chosen.map((slug) => slug ?? "");
}

function numbered(base: string, number: number): string {
  return number === 1 ? base : `${base}-${number}`;
}
