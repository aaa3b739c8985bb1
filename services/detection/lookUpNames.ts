import { readNamesByKey } from "../../database/nameIndex.ts";
import type { Queryable } from "../../database/pool.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import { nameKeys } from "../../domain/detection/nameKeys.ts";
import type { SpokenSegment } from "../../domain/detection/types.ts";

/**
 * The names that a small text may hold, looked up in the database: detection with them finds what it finds with all names in memory
 * (`NameIndex`), without the memory. For some dozens of words; a whole transcript is the workers' to index.
 */
export async function lookUpNames(db: Queryable, texts: readonly (readonly SpokenSegment[])[]): Promise<Gazetteer> {
  const keys = new Set(texts.flatMap(nameKeys));
  const names = keys.size === 0 ? [] : await readNamesByKey(db, [...keys]);
  const gazetteer = new Gazetteer(names.length, "single text");
  for (const { entityId, name, isAlias } of names) gazetteer.add(entityId, name, isAlias);
  return gazetteer;
}
