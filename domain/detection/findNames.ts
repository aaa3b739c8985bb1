import type { Gazetteer } from "./gazetteer.ts";
import { WordHash } from "./wordHash.ts";
import type { Word } from "./words.ts";

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
const addressPrefixes = ["", "buy", "get", "try", "drink", "join", "my", "go", "use", "the", "shop", "eat", "wear", "trust"];

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

class Search {
  readonly found: FoundName[] = [];
  readonly #words: readonly Word[];
  readonly #gazetteer: Gazetteer;
  readonly #lows: Int32Array;
  readonly #highs: Int32Array;
  readonly #hash = new WordHash();
  #first = 0;

  constructor(words: readonly Word[], gazetteer: Gazetteer) {
    this.#words = words;
    this.#gazetteer = gazetteer;
    this.#lows = new Int32Array(words.length);
    this.#highs = new Int32Array(words.length);
    for (const [index, { norm }] of words.entries()) {
      const { low, high } = this.#hash.reset().read(norm);
      this.#lows[index] = low;
      this.#highs[index] = high;
    }
  }

  from(first: number): void {
    this.#first = first;
    const before = this.found.length;
    this.#step(0, first, 0, false);
    if (isAddress(this.#words, first)) this.#withinAddress(first);
    if (this.found.length > before + 1) this.#putInOrder(before);
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
    const next = this.#follow(state, this.#lows[index] ?? 0, this.#highs[index] ?? 0);
    if (next !== 0) this.#arrive(next, index + 1, rank, comma);
    this.#withoutEnding(state, index, word, rank, comma);
    this.#joined(state, index, word, comma);
    if (next === 0) this.#divided(state, index, word.norm, comma);
  }

  #follow(state: number, low: number, high: number): number {
    const { edges } = this.#gazetteer;
    return edges.mayHold(low, high) ? edges.next(state, low, high) : 0;
  }

  #arrive(state: number, end: number, rank: number, acrossComma: boolean): void {
    this.#note(state, end, rank, acrossComma);
    this.#step(state, end, rank, acrossComma);
  }

  #note(state: number, end: number, rank: number, acrossComma: boolean): void {
    if (!this.#gazetteer.endsName(state)) return;
    this.found.push({ first: this.#first, end, state, form: formsByRank[rank] ?? "exact", acrossComma });
  }

  /** A name's last word may have an ending of its own: "Apple's", "iPhones", "Xboxes". */
  #withoutEnding(state: number, index: number, { norm, possessive }: Word, rank: number, comma: boolean): void {
    const { length } = norm;
    if (length < 3 || norm.charCodeAt(length - 1) !== letterS || norm.charCodeAt(length - 2) === letterS) return;
    const withEnding = Math.max(rank, possessive ? 1 : 2);
    this.#endWith(state, index, norm.slice(0, -1), withEnding, comma);
    if (/(?:[sxz]|[cs]h)es$/.test(norm)) this.#endWith(state, index, norm.slice(0, -2), withEnding, comma);
  }

  #endWith(state: number, index: number, norm: string, rank: number, acrossComma: boolean): void {
    const { low, high } = this.#hash.reset().read(norm);
    const next = this.#follow(state, low, high);
    if (next !== 0) this.#note(next, index + 1, rank, acrossComma);
  }

  /** "better help" → "betterhelp", "twenty three and me" → "23andme", "j k" → "jk". */
  #joined(state: number, index: number, word: Word, acrossComma: boolean): void {
    let low = this.#lows[index] ?? 0;
    let high = this.#highs[index] ?? 0;
    let areInitials = word.norm.length === 1;
    for (let count = 2; count <= (areInitials ? longestInitials : longestJoin); count += 1) {
      const added = this.#words[index + count - 1];
      if (added === undefined || added.gap !== "none") return;
      areInitials &&= added.norm.length === 1;
      if (added.norm.length > 2 && added.norm.endsWith("s")) {
        const whole = this.#hash.set(low, high).read(added.norm, 0, added.norm.length - 1);
        const ending = this.#follow(state, whole.low, whole.high);
        if (ending !== 0) this.#note(ending, index + count, 3, acrossComma);
      }
      ({ low, high } = this.#hash.set(low, high).read(added.norm));
      const next = this.#follow(state, low, high);
      if (next !== 0) this.#arrive(next, index + count, 3, acrossComma);
    }
  }

  /** "f150" → "f 150". */
  #divided(state: number, index: number, norm: string, acrossComma: boolean): void {
    if (norm.length < 2 || !/^(?:\d+\D|\D+\d)/.test(norm)) return;
    let next = state;
    for (const part of norm.match(/\d+|\D+/g) ?? []) {
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

function rankOf(form: FoundForm): number {
  return formsByRank.indexOf(form);
}
