import { everydayWords } from "./commonWords.ts";
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
  readonly #edges: Edges;
  names = 0;
  // Edges of everyday words from the first state, apart: what is looked up for nearly every word of speech stays in a core's cache, however many names there are.
  readonly #everyday: Edges;
  // Two numbers a state: the first of its entries (-1 where no name ends), and the words on its edges as bits, so that most words that do not go on from it
  // cost no look-up.
  readonly #states: GrowingArray;
  readonly #entityIds: GrowingArray;
  readonly #nextEntry: GrowingArray;
  readonly #flags: GrowingArray;
  // An entry counts while its stamp is its entity's: 0, until the entity's names are told anew.
  readonly #stamps: GrowingArray;
  readonly #stampOfEntity = new Map<number, number>();
  readonly #hash = new WordHash();
  #lastStamp = 0;

  /** `expectedNames` sets what is laid out at once; more names fit. One for a single text does without what makes the look-up among many fast. */
  constructor(expectedNames = 0, purpose: "many texts" | "single text" = "many texts") {
    const apart = purpose === "many texts" ? everydayWords : [];
    this.#edges = new Edges(expectedNames * 2);
    this.#states = new GrowingArray((expectedNames * 2 + apart.length) * 2);
    this.#addState();
    this.#everyday = new Edges(apart.length);
    for (const word of apart) {
      const { low, high } = this.#hash.reset().read(word);
      if (this.#everyday.next(0, low, high) === 0) this.#everyday.add(0, low, high, this.#addState());
    }
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
    for (let entry = this.#states.get(state * 2); entry >= 0; entry = this.#nextEntry.get(entry)) {
      const entityId = this.#entityIds.get(entry);
      const flags = this.#flags.get(entry);
      if (this.#stamps.get(entry) !== (this.#stampOfEntity.get(entityId) ?? 0)) continue;
      if (acrossComma && (flags & commaFlag) === 0) continue;
      entries.push({ entityId, isAlias: (flags & aliasFlag) !== 0 });
    }
    return entries;
  }

  /** Look-ups so far; what the cost of matching is counted in. */
  get lookups(): number {
    return this.#edges.lookups + this.#everyday.lookups;
  }

  /** Whether some name ended at this state; `entriesAt` tells which still do. */
  endsName(state: number): boolean {
    return this.#states.get(state * 2) >= 0;
  }

  /** Words by which longer names may go on from this state, as bits; 0 where none does. */
  wordsAfter(state: number): number {
    return this.#states.get(state * 2 + 1);
  }

  /** The states behind words that may begin a name, by their hashes; 0 where none does, and where both halves of a hash are 0. */
  beginnings(lows: Int32Array, highs: Int32Array): Int32Array {
    const states = new Int32Array(lows.length);
    for (let index = 0; index < lows.length; index += 1) {
      const low = lows[index] ?? 0;
      const high = highs[index] ?? 0;
      if ((low | high) === 0) continue;
      const state = this.follow(0, low, high);
      if (state !== 0 && (this.endsName(state) || this.wordsAfter(state) !== 0)) states[index] = state;
    }
    return states;
  }

  /** The state behind a word, by its hash; 0 where no name goes on so. */
  follow(state: number, low: number, high: number): number {
    if (state === 0) {
      const everyday = this.#everyday.next(0, low, high);
      return everyday === 0 ? this.#edges.next(0, low, high) : everyday;
    }
    return (this.#states.get(state * 2 + 1) & wordBit(low)) === 0 ? 0 : this.#edges.next(state, low, high);
  }

  /** What the names take, in bytes. */
  get bytes(): number {
    const lists = [this.#states, this.#entityIds, this.#nextEntry, this.#flags, this.#stamps];
    return lists.reduce((sum, list) => sum + list.bytes, this.#edges.bytes + this.#everyday.bytes);
  }

  #addForm(entityId: number, { words, hasComma }: NameForm, isAlias: boolean): void {
    let state = 0;
    for (const word of words) {
      const { low, high } = this.#hash.reset().read(word);
      let next = this.follow(state, low, high);
      if (next === 0) {
        next = this.#addState();
        this.#edges.add(state, low, high, next);
        this.#states.set(state * 2 + 1, this.#states.get(state * 2 + 1) | wordBit(low));
      }
      state = next;
    }
    const entry = this.#entityIds.push(entityId);
    this.#nextEntry.push(this.#states.get(state * 2));
    this.#flags.push((isAlias ? aliasFlag : 0) | (hasComma ? commaFlag : 0));
    this.#stamps.push(this.#stampOfEntity.get(entityId) ?? 0);
    this.#states.set(state * 2, entry);
  }

  #addState(): number {
    const place = this.#states.push(-1);
    this.#states.push(0);
    return place / 2;
  }
}

/** The bit that stands for a word in `Gazetteer.wordsAfter`. */
export function wordBit(low: number): number {
  return 1 << ((low ^ (low >>> 13)) & 31);
}
