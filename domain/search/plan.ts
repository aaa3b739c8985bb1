import { editDistance } from "./editDistance.ts";
import {
  distantKeys,
  joinedTerm,
  maxPrefixTermLetters,
  minTwoEditLetters,
  nearKeys,
  prefixTerm,
  wordTerm,
} from "./terms.ts";

/** Candidates that one way of reading a query may find; the most popular are taken. */
const most = { exact: 150, near: 60, whole: 20, loose: 100, any: 50 };
/** Words of a query that are looked for; scoring knows all of them. */
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

/** Names that have a term of each group. `length`: of exactly so many words. `broad`: surely more than are wanted. */
export interface Conjunction {
  groups: readonly (readonly number[])[];
  length: number | null;
  most: number;
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
  const exact = asked.map((word, index) => exactGroup(word, index === words.length - 1, dictionary));
  const near = asked.map((word) => nearWords(word, dictionary, 1).map(wordTerm));
  const known = exact.map((group, index) => group.length > 0 || (near[index] ?? []).length > 0);
  const conjunctions: Conjunction[] = [
    { groups: [[joinedTerm(words.join(""))]], length: null, most: most.whole, broad: false },
  ];
  // What the dictionary has nothing like finds nothing, so it is left out.
  const places = asked.flatMap((_, index) => (known[index] ? [index] : []));
  const groupsWith = (changed: number | null) => places.map((place) => (place === changed ? near : exact)[place] ?? []);
  const length = places.length === words.length ? words.length : null;
  add(conjunctions, asked, places, groupsWith(null), { length: null, most: most.exact });
  for (const place of places) {
    add(conjunctions, asked, places, groupsWith(place), { length, most: most.near });
    // Names with further words too, unless the word is known or so short a beginning that these would only be in the way.
    const [exactTerms, word] = [exact[place] ?? [], asked[place] ?? ""];
    const mayBeLong = exactTerms.length === 0 || word.length === maxPrefixTermLetters;
    if (places.length === 1 && length !== null && mayBeLong)
      add(conjunctions, asked, places, groupsWith(place), { length: null, most: most.near });
  }
  const readings = [words, ...otherReadings(asked, dictionary)];
  for (const reading of readings.slice(1)) {
    const groups = reading.map((word) => [wordTerm(word)]);
    add(conjunctions, reading, [...reading.keys()], groups, { length: null, most: most.near });
  }
  return { readings, conjunctions };
}

/** What to look for where that found nothing good: every word with edits, and all but one of them. */
export function planLooseSearch(words: readonly string[], dictionary: ReadonlySet<string>): readonly Conjunction[] {
  const asked = words.slice(0, maxQueryWords);
  const groups = asked.map((word, index) => {
    const terms = nearWords(word, dictionary, editsAllowed(word)).map(wordTerm);
    return [...new Set([...exactGroup(word, index === words.length - 1, dictionary), ...terms])];
  });
  const places = asked.flatMap((_, index) => ((groups[index] ?? []).length > 0 ? [index] : []));
  const conjunctions: Conjunction[] = [];
  const of = (chosen: readonly number[]) => chosen.map((place) => groups[place] ?? []);
  add(conjunctions, asked, places, of(places), { length: null, most: most.loose });
  if (places.length > 1) {
    for (const dropped of places) {
      const left = places.filter((place) => place !== dropped);
      add(conjunctions, asked, left, of(left), { length: null, most: most.any });
    }
  }
  if (places.length > 2)
    conjunctions.push({ groups: [[...new Set(groups.flat())]], length: null, most: most.any, broad: true });
  return conjunctions;
}

/** Edits that a word may have and still be taken for another. */
export function editsAllowed(word: string): number {
  return word.length >= minTwoEditLetters - 2 ? 2 : 1;
}

const maxGroups = 4;

function add(
  conjunctions: Conjunction[],
  words: readonly string[],
  places: readonly number[],
  groups: readonly (readonly number[])[],
  { length, most }: { length: number | null; most: number },
): void {
  if (groups.length === 0 || groups.some((group) => group.length === 0)) return;
  // The longest words tell most; the rest is left to scoring.
  const kept = places
    .map((place, index) => ({ letters: words[place]?.length ?? 0, group: groups[index] ?? [] }))
    .toSorted((a, b) => b.letters - a.letters)
    .slice(0, maxGroups);
  const broad = length === null && kept.length === 1 && (kept[0]?.letters ?? 0) <= maxPrefixTermLetters;
  conjunctions.push({ groups: kept.map(({ group }) => group), length, most, broad });
}

function exactGroup(word: string, isLast: boolean, dictionary: ReadonlySet<string>): number[] {
  if (!isLast) return dictionary.has(word) ? [wordTerm(word)] : [];
  if (word.length <= maxPrefixTermLetters) return [prefixTerm(word)];
  const longer = [...dictionary].filter((known) => known.startsWith(word));
  return longer.length < maxPrefixWords ? longer.map(wordTerm) : [prefixTerm(word.slice(0, maxPrefixTermLetters))];
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

/** A word in two, with or without the letter between them that may have been meant as the space. */
function splitsOf(word: string): [string, string][] {
  const splits: [string, string][] = [];
  for (let index = 1; index < word.length && word.length >= minSplitLetters; index += 1) {
    splits.push([word.slice(0, index), word.slice(index)]);
    if (index + 1 < word.length) splits.push([word.slice(0, index), word.slice(index + 1)]);
  }
  return splits;
}

function shortest(parts: readonly string[]): number {
  return Math.min(...parts.map((part) => part.length));
}
