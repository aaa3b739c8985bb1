import { type Gazetteer, wordBit } from "./gazetteer.ts";
import { WordHash } from "./wordHash.ts";
import type { Word } from "./word.ts";

/** How the words of a text stand for a name: as it is, in the possessive or plural, apart or together in another way, or within an address. */
export type FoundForm = "exact" | "possessive" | "plural" | "joined" | "within";
const formsByRank: readonly FoundForm[] = ["exact", "possessive", "plural", "joined", "within"];

/** Words `[first, end)` of a text that may name the entities of `state`. */
export interface FoundName {
  first: number;
  end: number;
  state: number;
  form: FoundForm;
  acrossComma: boolean;
}

const longestJoin = 3;
const longestInitials = 5;
const letterS = 115;
const topLevel = new Set(["com", "org", "net", "io", "co", "tv", "fm", "ai", "app", "edu", "gov"]);
// What shops put before their name in an address ("buyname.com").
export const addressPrefixes = [
  "",
  "buy",
  "get",
  "try",
  "drink",
  "join",
  "my",
  "go",
  "use",
  "the",
  "shop",
  "eat",
  "wear",
  "trust",
];

/**
 * All names in the words, of all lengths, in order of their first word and the longest first. Takes time linear in the words and independent of the
 * number of names: from each word, edges of the trie are followed for the word as it is, without a possessive or plural ending, written together with
 * what follows ("face book"), and divided where figures meet letters ("F150").
 */
export function findNames(words: readonly Word[], gazetteer: Gazetteer): FoundName[] {
  const search = new Search(words, gazetteer);
  for (let first = 0; first < words.length; first += 1) search.from(first);
  return search.found;
}

/** Whether the word is the name of an address: "name.com", "name dot com". */
export function isAddress(words: readonly Word[], index: number): boolean {
  const next = words[index + 1];
  if (next === undefined) return false;
  if (next.before === ".") return topLevel.has(next.norm);
  return next.norm === "dot" && topLevel.has(words[index + 2]?.norm ?? "");
}

/** Ways to read on from a word: how many words are taken, and whether the last one's ending is left off. */
const readings = [
  { taken: 1, cut: 0 },
  { taken: 1, cut: 1 },
  { taken: 1, cut: 2 },
  { taken: 2, cut: 0 },
  { taken: 2, cut: 1 },
  { taken: 3, cut: 0 },
  { taken: 3, cut: 1 },
] as const;

class Search {
  readonly found: FoundName[] = [];
  readonly #words: readonly Word[];
  readonly #gazetteer: Gazetteer;
  // Hashes of all readings of each word, worked out once; both halves 0 where there is no such reading.
  readonly #lows: Int32Array;
  readonly #highs: Int32Array;
  // The states behind the readings from the first state, all looked up in one go: look-ups that do not wait for one another overlap in the processor.
  readonly #beginnings: Int32Array;
  readonly #hash = new WordHash();
  #first = 0;

  constructor(words: readonly Word[], gazetteer: Gazetteer) {
    this.#words = words;
    this.#gazetteer = gazetteer;
    this.#lows = new Int32Array(words.length * readings.length);
    this.#highs = new Int32Array(words.length * readings.length);
    for (let index = 0; index < words.length; index += 1) this.#prepare(index);
    this.#beginnings = gazetteer.beginnings(this.#lows, this.#highs);
  }

  from(first: number): void {
    this.#first = first;
    const before = this.found.length;
    this.#step(0, first, 0, false);
    if (isAddress(this.#words, first)) this.#withinAddress(first);
    if (this.found.length > before + 1) this.#putInOrder(before);
  }

  #prepare(index: number): void {
    const hash = this.#hash.reset();
    const base = index * readings.length;
    let slot = base;
    for (let taken = 1; taken <= longestJoin; taken += 1) {
      const word = this.#words[index + taken - 1];
      if (word === undefined || (taken > 1 && word.gap !== "none")) return;
      const { norm } = word;
      const { low, high } = hash;
      const cuts = cutsOf(norm, taken);
      if (cuts > 0) this.#keep(slot + 1, hash.read(norm, 0, norm.length - 1));
      if (cuts > 1) this.#keep(slot + 2, hash.set(low, high).read(norm, 0, norm.length - 2));
      this.#keep(slot, hash.set(low, high).read(norm));
      slot += taken === 1 ? 3 : 2;
    }
  }

  #keep(slot: number, { low, high }: WordHash): void {
    this.#lows[slot] = low;
    this.#highs[slot] = high;
  }

  /** Longest first, and of several readings of the same words the plainest. */
  #putInOrder(before: number): void {
    const names = this.found.splice(before).sort((a, b) => b.end - a.end || rankOf(a.form) - rankOf(b.form));
    for (const name of names) {
      const isRepeated = this.found.length > before && this.found.at(-1)?.state === name.state;
      if (!isRepeated) this.found.push(name);
    }
  }

  #step(state: number, index: number, rank: number, acrossComma: boolean): void {
    const word = this.#words[index];
    if (word === undefined) return;
    const isInside = index > this.#first;
    if (isInside && word.gap === "stop") return;
    const comma = acrossComma || (isInside && word.gap === "pause");
    if (state === 0) this.#begin(index);
    else this.#goOn(state, index, rank, comma);
    if (word.norm.length === 1) this.#initials(state, index, comma);
    else if (hasFigure(word.norm)) this.#divided(state, index, word.norm, comma);
  }

  #begin(index: number): void {
    const base = index * readings.length;
    for (let reading = 0; reading < readings.length; reading += 1) {
      const next = this.#beginnings[base + reading] ?? 0;
      if (next !== 0) this.#take(next, index, reading, 0, false);
    }
  }

  #goOn(state: number, index: number, rank: number, acrossComma: boolean): void {
    const base = index * readings.length;
    const words = this.#gazetteer.wordsAfter(state);
    for (let reading = 0; reading < readings.length; reading += 1) {
      const low = this.#lows[base + reading] ?? 0;
      if ((words & wordBit(low)) === 0) continue;
      const next = this.#follow(state, low, this.#highs[base + reading] ?? 0);
      if (next !== 0) this.#take(next, index, reading, rank, acrossComma);
    }
  }

  /** A name's last word may have an ending of its own ("Apple's", "iPhones"); words may be one in the name ("better help"). */
  #take(next: number, index: number, reading: number, rank: number, acrossComma: boolean): void {
    const { taken, cut } = readings[reading] ?? readings[0];
    const joined = taken > 1 ? 3 : 0;
    if (cut === 0) return this.#arrive(next, index + taken, Math.max(rank, joined), acrossComma);
    const ending = this.#words[index + taken - 1]?.possessive === true ? 1 : 2;
    this.#note(next, index + taken, Math.max(rank, joined, ending), acrossComma);
  }

  #follow(state: number, low: number, high: number): number {
    return (low | high) === 0 ? 0 : this.#gazetteer.follow(state, low, high);
  }

  #arrive(state: number, end: number, rank: number, acrossComma: boolean): void {
    this.#note(state, end, rank, acrossComma);
    if (this.#gazetteer.wordsAfter(state) !== 0) this.#step(state, end, rank, acrossComma);
  }

  #note(state: number, end: number, rank: number, acrossComma: boolean): void {
    if (!this.#gazetteer.endsName(state)) return;
    this.found.push({ first: this.#first, end, state, form: formsByRank[rank] ?? "exact", acrossComma });
  }

  /** Four and more letters said one by one: "i k e a". */
  #initials(state: number, index: number, acrossComma: boolean): void {
    const hash = this.#hash.reset();
    for (let taken = 1; taken <= longestInitials; taken += 1) {
      const word = this.#words[index + taken - 1];
      if (word === undefined || word.norm.length !== 1 || (taken > 1 && word.gap !== "none")) return;
      const { low, high } = hash.read(word.norm);
      const next = taken > longestJoin ? this.#follow(state, low, high) : 0;
      if (next !== 0) return this.#arrive(next, index + taken, 3, acrossComma);
    }
  }

  /** "f150" → "f 150". */
  #divided(state: number, index: number, norm: string, acrossComma: boolean): void {
    const parts = norm.match(/\d+|\D+/g) ?? [];
    if (parts.length < 2) return;
    let next = state;
    for (const part of parts) {
      const { low, high } = this.#hash.reset().read(part);
      next = this.#follow(next, low, high);
      if (next === 0) return;
    }
    this.#arrive(next, index + 1, 3, acrossComma);
  }

  /** A name written as one word in an address, perhaps after a word such as "get": "rocketmoney.com" → "rocket money". */
  #withinAddress(index: number): void {
    const norm = this.#words[index]?.norm ?? "";
    for (const prefix of addressPrefixes) {
      if (norm.startsWith(prefix) && norm.length > prefix.length + 2) this.#walk(0, index, norm, prefix.length);
    }
  }

  #walk(state: number, index: number, norm: string, from: number): void {
    for (let to = from + 1; to <= norm.length; to += 1) {
      const { low, high } = this.#hash.reset().read(norm, from, to);
      const next = this.#follow(state, low, high);
      if (next === 0) continue;
      if (to < norm.length) this.#walk(next, index, norm, to);
      else if (state !== 0 || from > 0) this.#note(next, index + 1, 4, false);
    }
  }
}

/** How many letters an ending may have: "Apples" 1, "Xboxes" 1 or 2. */
function cutsOf(norm: string, taken: number): number {
  const { length } = norm;
  if (length < 3 || norm.charCodeAt(length - 1) !== letterS || norm.charCodeAt(length - 2) === letterS) return 0;
  return taken === 1 && /(?:[sxz]|[cs]h)es$/.test(norm) ? 2 : 1;
}

function hasFigure(norm: string): boolean {
  for (let index = 0; index < norm.length; index += 1) {
    const unit = norm.charCodeAt(index);
    if (unit >= 48 && unit <= 57) return true;
  }
  return false;
}

function rankOf(form: FoundForm): number {
  return formsByRank.indexOf(form);
}
