import { Edges } from "./edges.ts";
import { GrowingArray } from "./growingArray.ts";
import { type NameForm, nameForms } from "./nameForms.ts";
import { WordHash } from "./wordHash.ts";

export interface GazetteerEntry {
  entityId: number;
  isAlias: boolean;
}

const aliasFlag = 1;
const commaFlag = 2;

/**
 * Names and aliases of entities as a trie over folded words, in typed arrays: about 80 bytes a name, whatever its length. Names can be added and
 * forgotten while it is in use.
 */
export class Gazetteer {
  readonly edges: Edges;
  names = 0;
  // By state: the first of its entries, -1 where no name ends.
  readonly #firstEntry: GrowingArray;
  readonly #entityIds: GrowingArray;
  readonly #nextEntry: GrowingArray;
  readonly #flags: GrowingArray;
  // An entry counts while its stamp is its entity's: 0, until the entity's names are told anew.
  readonly #stamps: GrowingArray;
  readonly #stampOfEntity = new Map<number, number>();
  readonly #hash = new WordHash();
  #lastStamp = 0;

  /** `expectedNames` sets what is laid out at once; more names fit. */
  constructor(expectedNames = 0) {
    this.edges = new Edges(expectedNames * 2);
    this.#firstEntry = new GrowingArray(expectedNames * 2);
    this.#firstEntry.push(-1);
    this.#entityIds = new GrowingArray(expectedNames);
    this.#nextEntry = new GrowingArray(expectedNames);
    this.#flags = new GrowingArray(expectedNames);
    this.#stamps = new GrowingArray(expectedNames);
  }

  /** Adds a name of an entity. */
  add(entityId: number, name: string, isAlias: boolean): void {
    this.names += 1;
    for (const form of nameForms(name)) this.#addForm(entityId, form, isAlias);
  }

  /** Replaces all names of an entity. */
  replace(entityId: number, names: readonly { name: string; isAlias: boolean }[]): void {
    this.#lastStamp += 1;
    this.#stampOfEntity.set(entityId, this.#lastStamp);
    for (const { name, isAlias } of names) this.add(entityId, name, isAlias);
  }

  /** Entities whose names were replaced since the start; each costs a little, and a reload costs them all away. */
  get replaced(): number {
    return this.#stampOfEntity.size;
  }

  /** Entities that have a name which ends at this state; `acrossComma` where the text had a comma within. */
  entriesAt(state: number, acrossComma: boolean): GazetteerEntry[] {
    const entries: GazetteerEntry[] = [];
    for (let entry = this.#firstEntry.get(state); entry >= 0; entry = this.#nextEntry.get(entry)) {
      const entityId = this.#entityIds.get(entry);
      const flags = this.#flags.get(entry);
      if (this.#stamps.get(entry) !== (this.#stampOfEntity.get(entityId) ?? 0)) continue;
      if (acrossComma && (flags & commaFlag) === 0) continue;
      entries.push({ entityId, isAlias: (flags & aliasFlag) !== 0 });
    }
    return entries;
  }

  /** Whether some name ended at this state; `entriesAt` tells which still do. */
  endsName(state: number): boolean {
    return this.#firstEntry.get(state) >= 0;
  }

  /** What the names take, in bytes. */
  get bytes(): number {
    const lists = [this.#firstEntry, this.#entityIds, this.#nextEntry, this.#flags, this.#stamps];
    return lists.reduce((sum, list) => sum + list.bytes, this.edges.bytes);
  }

  #addForm(entityId: number, { words, hasComma }: NameForm, isAlias: boolean): void {
    let state = 0;
    for (const word of words) {
      const { low, high } = this.#hash.reset().read(word);
      let next = this.edges.next(state, low, high);
      if (next === 0) {
        next = this.#firstEntry.push(-1);
        this.edges.add(state, low, high, next);
      }
      state = next;
    }
    const entry = this.#entityIds.push(entityId);
    this.#nextEntry.push(this.#firstEntry.get(state));
    this.#flags.push((isAlias ? aliasFlag : 0) | (hasComma ? commaFlag : 0));
    this.#stamps.push(this.#stampOfEntity.get(entityId) ?? 0);
    this.#firstEntry.set(state, entry);
  }
}
