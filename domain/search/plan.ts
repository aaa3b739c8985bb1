import { editDistance } from "./editDistance.ts";
import {
  distantKeys,
  joinedTerm,
  maxPrefixTermLetters,
  minTwoEditLetters,
  nearKeys,
  pairTerm,
  prefixTerm,
  wordTerm,
} from "./terms.ts";

/** Candidates that one way of reading a query may find; the most popular are taken. */
const most = { exact: 100, near: 50, whole: 50, loose: 100, any: 50 };
/** Names after which a looser way of reading is not tried. */
const enough = 20;
/** Words of a query that are looked for, as of a name; scoring knows all of them. */
const maxQueryWords = 8;
const maxNearWords = 64;
const maxSplits = 3;
const minSplitLetters = 4;
/** At most so many words are listed for a prefix; of more, the index of short prefixes is taken. */
export const maxPrefixWords = 100;

/** What the dictionary is asked for a query: words of these keys, these words, and words that begin so. */
export interface DictionaryQuestion {
  keys: readonly number[];
  words: readonly string[];
  /** Empty: none. */
  prefix: string;
}

/** Names that have a term of each group. `length`: of exactly so many words. `broad`: so many that the most popular are looked for first. */
export interface Conjunction {
  groups: readonly (readonly number[])[];
  length: number | null;
  most: number;
  /** Left out where the ones before found so many; null: never. */
  enough: number | null;
  broad: boolean;
}

export interface SearchPlan {
  /** Ways to read the query as words: as typed; then with neighbours joined or a word split, where the dictionary has the words. */
  readings: readonly (readonly string[])[];
  conjunctions: readonly Conjunction[];
}

/** First question: each word as typed and with one edit, neighbours joined, words split, and the last word as a prefix. */
export function dictionaryQuestion(words: readonly string[]): DictionaryQuestion {
  const asked = words.slice(0, maxQueryWords);
  const parts = asked.flatMap((word) => splitsOf(word).flat());
  const last = words.at(-1) ?? "";
  return {
    keys: [...new Set(asked.flatMap(nearKeys))],
    words: [...new Set([...parts, ...asked.slice(1).map((word, index) => `${asked[index]}${word}`)])],
    prefix: last.length > maxPrefixTermLetters ? last : "",
  };
}

/** Second question, where the first led to nothing good: long words with two edits. */
export function distantQuestion(words: readonly string[]): DictionaryQuestion {
  const long = words.slice(0, maxQueryWords).filter((word) => word.length >= minTwoEditLetters - 2);
  return { keys: [...new Set(long.flatMap(distantKeys))], words: [], prefix: "" };
}

/** What to look for: the words as typed, one of them with an edit, the whole written otherwise apart, and its other readings. */
export function planSearch(words: readonly string[], dictionary: ReadonlySet<string>): SearchPlan {
  const asked = words.slice(0, maxQueryWords);
  const ways = asked
    .map((word, index) => ({
      exact: asTyped(word, index === words.length - 1, dictionary),
      near: sought({ words: nearWords(word, dictionary, 1) }),
    }))
    // What the dictionary has nothing like finds nothing, so it is left out.
    .filter(({ exact, near }) => exact !== null || near !== null);
  const length = ways.length === words.length ? words.length : null;
  const conjunctions = wholeNames([words.join("")]);
  const add = (places: readonly (Sought | null)[], more: Limits) => {
    const conjunction = conjunctionOf(places, more);
    if (conjunction !== null) conjunctions.push(conjunction);
  };
  add(
    ways.map(({ exact }) => exact),
    { most: most.exact },
  );
  if (words.length === 1) {
    const near = ways[0]?.near ?? null;
    conjunctions.push(...wholeNames(near?.words ?? []));
    // Longer names with such a word, where few have it as it was typed.
    add([near], { most: most.near, enough });
  } else {
    // After a letter or two of the last word much is possible already.
    const isOpen = (words.at(-1) ?? "").length <= 2;
    for (const edited of ways) {
      const places = ways.map((way) => (way === edited ? way.near : way.exact));
      add(places, { length, most: most.near, enough: isOpen ? enough : null });
    }
  }
  const others = otherReadings(asked, dictionary);
  for (const reading of others) {
    const places = reading.map((word) => sought({ words: [word], initial: word.slice(0, 1) }));
    add(places, { most: most.near });
  }
  return { readings: [words, ...others], conjunctions };
}

/** Names that are, without spaces, one of these; none where there are none. */
function wholeNames(letters: readonly string[]): Conjunction[] {
  if (letters.length === 0) return [];
  return [{ groups: [letters.map(joinedTerm)], length: null, most: most.whole, enough: null, broad: false }];
}

/** What to look for where that found nothing good: every word with edits, all but one of them, and any of them. */
export function planLooseSearch(words: readonly string[], dictionary: ReadonlySet<string>): readonly Conjunction[] {
  const places = words
    .slice(0, maxQueryWords)
    .map((word) => {
      const known = dictionary.has(word) ? [word] : [];
      return sought({ words: [...known, ...nearWords(word, dictionary, editsAllowed(word))] });
    })
    .filter((place) => place !== null);
  const conjunctions = [conjunctionOf(places, { most: most.loose })];
  if (places.length > 1)
    for (const dropped of places) {
      const others = places.filter((place) => place !== dropped);
      conjunctions.push(conjunctionOf(others, { most: most.any }));
    }
  if (places.length > 2) {
    const any = sought({ words: places.flatMap((place) => place.words) });
    conjunctions.push(conjunctionOf([any], { most: most.any, enough }));
  }
  return conjunctions.filter((conjunction) => conjunction !== null);
}

/** What stands for a word of the query: one of some words, or a word that begins so. `initial`: its first letter, where that is known. */
interface Sought {
  words: readonly string[];
  prefix: string;
  initial: string;
}

function sought(parts: Partial<Sought>): Sought | null {
  const { words = [], prefix = "", initial = "" } = parts;
  return words.length === 0 && prefix === "" ? null : { words: [...new Set(words)], prefix, initial };
}

function asTyped(word: string, isLast: boolean, dictionary: ReadonlySet<string>): Sought | null {
  const initial = word.slice(0, 1);
  if (!isLast) return sought({ words: dictionary.has(word) ? [word] : [], initial });
  if (word.length <= maxPrefixTermLetters) return sought({ prefix: word, initial });
  const longer = [...dictionary].filter((known) => known.startsWith(word));
  if (longer.length < maxPrefixWords) return sought({ words: longer, initial });
  return sought({ prefix: word.slice(0, maxPrefixTermLetters), initial });
}

type Limits = Pick<Conjunction, "most"> & Partial<Pick<Conjunction, "length" | "enough">>;

const maxGroups = 4;

/** Names with all of these; null where one of them is nothing. */
function conjunctionOf(
  places: readonly (Sought | null)[],
  { length = null, most, enough = null }: Limits,
): Conjunction | null {
  const known = places.filter((place) => place !== null);
  if (known.length === 0 || known.length < places.length) return null;
  const groups = known.flatMap((place, index) => {
    const letters = (place.words[0] ?? place.prefix).length;
    // A single letter is in the terms of the word before it.
    if (place.prefix !== "") return letters === 1 && index > 0 ? [] : [{ letters, terms: [prefixTerm(place.prefix)] }];
    // Few names have both the word and the beginning of its neighbour, however common both are.
    const initial = known[index + 1]?.initial || known[index - 1]?.initial || "";
    return [{ letters, terms: place.words.map((word) => (initial === "" ? wordTerm(word) : pairTerm(word, initial))) }];
  });
  // The longest words tell most; the rest is left to scoring.
  const kept = groups.toSorted((a, b) => b.letters - a.letters).slice(0, maxGroups);
  return {
    groups: kept.map(({ terms }) => terms),
    length,
    most,
    enough,
    broad: length === null && known.length === 1,
  };
}

/** Edits that a word may have and still be taken for another. */
export function editsAllowed(word: string): number {
  return word.length >= minTwoEditLetters - 2 ? 2 : 1;
}

function nearWords(word: string, dictionary: ReadonlySet<string>, edits: number): string[] {
  const near = [...dictionary]
    .map((known) => ({ known, distance: editDistance(word, known, edits) }))
    .filter(({ distance }) => distance >= 1 && distance <= edits);
  // The first letter is the least often wrong (K. Kukich, ACM Computing Surveys, 1992).
  const doubt = ({ known, distance }: { known: string; distance: number }) =>
    2 * distance + (known[0] === word[0] ? 0 : 1);
  return near
    .toSorted((a, b) => doubt(a) - doubt(b))
    .slice(0, maxNearWords)
    .map(({ known }) => known);
}

function otherReadings(words: readonly string[], dictionary: ReadonlySet<string>): string[][] {
  const readings: string[][] = [];
  for (const [index, word] of words.entries()) {
    const joined = `${word}${words[index + 1] ?? ""}`;
    if (index + 1 < words.length && dictionary.has(joined))
      readings.push([...words.slice(0, index), joined, ...words.slice(index + 2)]);
    if (dictionary.has(word)) continue;
    const splits = splitsOf(word)
      .filter((parts) => parts.every((part) => dictionary.has(part)))
      .toSorted((a, b) => shortest(b) - shortest(a));
    for (const parts of splits.slice(0, maxSplits))
      readings.push([...words.slice(0, index), ...parts, ...words.slice(index + 1)]);
  }
  return readings;
}

/** A word in two, with or without the letter between them that may have been meant as the space; where that is left out, no part is a letter. */
function splitsOf(word: string): [string, string][] {
  const splits: [string, string][] = [];
  for (let index = 1; index < word.length && word.length >= minSplitLetters; index += 1) {
    splits.push([word.slice(0, index), word.slice(index)]);
    if (index > 1 && index + 2 < word.length) splits.push([word.slice(0, index), word.slice(index + 1)]);
  }
  return splits;
}

function shortest(parts: readonly string[]): number {
  return Math.min(...parts.map((part) => part.length));
}
