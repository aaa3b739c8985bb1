import { setImmediate as nextTurn } from "node:timers/promises";
import { type KeyedName, readBeginnings, readNamesByKey } from "../../database/nameIndex.ts";
import type { Queryable } from "../../database/pool.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import { type KnownBeginning, longestName, nameKeys } from "../../domain/detection/nameKeys.ts";
import type { SpokenSegment } from "../../domain/detection/types.ts";
import { splitWords } from "../../domain/detection/words.ts";

/** A name of an entity, as detection takes it. */
export type Name = Pick<KeyedName, "entityId" | "name" | "isAlias">;

/** A text is read in parts of so many characters, which is what bounds the memory and how long others wait. */
const charactersPerPart = 4000;
const textsPerStatement = 2000;
const keysPerStatement = 500;
/** Of texts whose answers are remembered from part to part. */
const mostRemembered = 20_000;

/** As `listNames`, to find them with. */
export async function lookUpNames(db: Queryable, texts: readonly (readonly SpokenSegment[])[]): Promise<Gazetteer> {
  return gazetteerOf(await listNames(db, texts));
}

/**
 * The names that texts may hold, looked up in the database: detection with them finds what it finds with all names in memory (`NameIndex`),
 * without the memory. Takes turns with others, whatever the length of the texts.
 */
export async function listNames(db: Queryable, texts: readonly (readonly SpokenSegment[])[]): Promise<readonly Name[]> {
  const beginnings = new Beginnings(db);
  const found = new Set<string>();
  for (const segments of texts) {
    for (const { part, count } of partsOf(segments)) {
      for (const key of await search(beginnings, part, count)) found.add(key);
      // All of a part may be known from those before.
      await nextTurn();
    }
  }
  const names: KeyedName[] = [];
  const keys = [...found];
  for (let from = 0; from < keys.length; from += keysPerStatement)
    names.push(...(await readNamesByKey(db, keys.slice(from, from + keysPerStatement))));
  // In the order in which all names are read.
  return names.toSorted((a, b) => a.entityId - b.entityId || (a.key < b.key ? -1 : 1));
}

/** The names, to find them with. */
export function gazetteerOf(names: readonly Name[]): Gazetteer {
  const gazetteer = new Gazetteer(names.length, "single text");
  for (const { entityId, name, isAlias } of names) gazetteer.add(entityId, name, isAlias);
  return gazetteer;
}

async function search(
  beginnings: Beginnings,
  part: readonly SpokenSegment[],
  count: number,
): Promise<ReadonlySet<string>> {
  const keys = nameKeys(part, count);
  let step = keys.next();
  while (step.done !== true) step = keys.next(await beginnings.read(step.value));
  return step.value;
}

/** What begins names, asked for once. */
class Beginnings {
  readonly #db: Queryable;
  readonly #known = new Map<string, KnownBeginning>();

  constructor(db: Queryable) {
    this.#db = db;
  }

  async read(texts: readonly string[]): Promise<ReadonlyMap<string, KnownBeginning>> {
    if (this.#known.size > mostRemembered) this.#known.clear();
    const unknown = texts.filter((text) => !this.#known.has(text));
    for (let from = 0; from < unknown.length; from += textsPerStatement) {
      const asked = unknown.slice(from, from + textsPerStatement);
      const found = await readBeginnings(this.#db, asked);
      for (const text of asked) this.#known.set(text, found.get(text) ?? none);
    }
    return this.#known;
  }
}
const none: KnownBeginning = { isName: false, goesOn: false };

/** Segments to begin in, `count` of them, with those behind into which a name may go on. */
function* partsOf(segments: readonly SpokenSegment[]): Generator<{ part: readonly SpokenSegment[]; count: number }> {
  for (let from = 0; from < segments.length;) {
    let [to, characters] = [from, 0];
    for (; to < segments.length && characters < charactersPerPart; to += 1)
      characters += segments[to]?.text.length ?? 0;
    let [end, words] = [to, 0];
    // An address is told by the two words after the one that it begins with.
    for (; end < segments.length && words < longestName + 2; end += 1)
      words += splitWords(segments[end]?.text ?? "").length;
    yield { part: segments.slice(from, end), count: to - from };
    from = to;
  }
}
