import { foldName } from "../names.ts";
import { teens, tens, units } from "../numberWords.ts";
import { legalForms, topLevel } from "./nameForms.ts";
import { readSpeech } from "./speech.ts";
import type { SpokenSegment } from "./types.ts";
import type { Word } from "./word.ts";
import { ordinals } from "./numbers.ts";
import { addressPrefixes, isAddress } from "./findNames.ts";
import { shortForms } from "./words.ts";

/** Words of the longest name that is looked for. */
export const longestName = 16;
/** Names of so many words are also looked for in other spellings of two of their words, longer ones of one, the longest of none. */
const shortName = 3;
const longerName = 10;
const longestJoin = 3;
const longestInitials = 5;
/** Names of fewer words are also looked for with a legal form behind them. */
const mostBeforeLegalForm = 4;
/** Of an address (RFC 1035, 2.3.4). */
const longestLabel = 63;
const signWords = new Set(["and", "plus", "sharp"]);
const spelledShort = Map.groupBy(shortForms, ([, short]) => short);

/** What is known of words as the beginning of folded names: whether a name is just that, and whether longer ones go on from it. */
export interface KnownBeginning {
  isName: boolean;
  goesOn: boolean;
}

/** Asks for words that names may begin with, and goes on with what is known of them; of those that begin no name there is nothing. */
export type NameSearch = Generator<readonly string[], ReadonlySet<string>, ReadonlyMap<string, KnownBeginning>>;

/**
 * The folded names (`foldName`) that a text may hold, of those that there are, by all the ways in which `findNames` sees names: endings left
 * off, words written together or apart, numbers, initials and abbreviations in other spellings, legal forms left out. They are more than
 * what is named: a gazetteer of these names finds in the text what one of all names does. Names are followed from word to word, all places
 * of the text at once, so that what is asked for are a few beginnings a word and not the hundreds that could be spelled. Names that begin in
 * the segments after the first `count` are left out.
 */
export function* nameKeys(segments: readonly SpokenSegment[], count: number): NameSearch {
  const { words, segments: spoken } = readSpeech(segments);
  const text: ReadText = {
    words,
    spellings: words.map((word, index) =>
      spellingsOf(word, words[index + 1], (spoken[word.segment]?.text ?? "").slice(word.start, word.end)),
    ),
  };
  const keys = new Set<string>();
  const asked = new Set<string>();
  let paths: Path[] = [];
  for (const [first, { segment, norm }] of words.entries()) {
    if (segment >= count) break;
    paths.push({ ...begun, first, end: first }, { ...begun, first, end: first, way: "written" });
    if (isAddress(words, first)) for (const key of withinAddress(norm)) asked.add(key);
  }
  while (paths.length > 0) {
    const steps = paths.flatMap((path) => stepsFrom(text, path));
    for (const { path, complete } of steps) {
      asked.add(path.key);
      for (const key of complete) asked.add(key);
    }
    asked.delete("");
    const known = yield [...asked];
    for (const key of asked) if (known.get(key)?.isName === true) keys.add(key);
    asked.clear();
    const ahead = steps.filter(({ path }) => path.key === "" || known.get(path.key)?.goesOn === true);
    for (const { path } of ahead)
      if (hasLegalForms(path)) for (const form of legalForms) asked.add(`${path.key} ${form}`);
    paths = distinct(ahead.map(({ path }) => path));
  }
  if (asked.size > 0) {
    const known = yield [...asked];
    for (const key of asked) if (known.get(key)?.isName === true) keys.add(key);
  }
  return keys;
}

interface ReadText {
  words: readonly Word[];
  spellings: readonly Spellings[];
}

interface Spellings {
  norm: string;
  /** Folded as it stands in the text. */
  written: string;
  others: readonly string[];
}

/** Words `[first, end)` as one beginning of a name. */
interface Path {
  first: number;
  end: number;
  key: string;
  /** All words folded as they stand, as they are normed but for `changes` of them, or normed with some in a row written together. */
  way: "written" | "normed" | "together";
  changes: number;
}
const begun = { key: "", way: "normed", changes: 0 } as const;

/** One way to take in what follows, and the names that it would make complete by leaving off the ending of the last word. */
interface Step {
  path: Path;
  complete: readonly string[];
}

function stepsFrom(text: ReadText, path: Path): Step[] {
  const { first, end, key, way, changes } = path;
  const spelling = text.spellings[end];
  const most = way === "together" ? shortName + 2 : longestName;
  if (spelling === undefined || end - first >= most || (end > first && text.words[end]?.gap === "stop")) return [];
  const step = (more: string, change: Partial<Path> = {}): Step => {
    const next = { ...path, end: end + 1, key: joined(key, more), ...change };
    return { path: next, complete: way === "written" ? [] : withoutEnding(next.key) };
  };
  if (way === "written") return [step(spelling.written)];
  const steps: Step[] = [];
  const left = changesIn(end + 1 - first);
  if (changes <= left) steps.push(step(spelling.norm));
  if (way === "together") return steps;
  if (changes < left) for (const other of spelling.others) steps.push(step(other, { changes: changes + 1 }));
  if (changes === 0) {
    for (const { norm, words } of writtenTogether(text.words, end, first + shortName + 2))
      steps.push(step(norm, { way: "together", end: end + words }));
  }
  return steps;
}

/** In how many words a name of so many may be spelled otherwise. */
function changesIn(words: number): number {
  if (words <= shortName) return 2;
  return words <= longerName ? 1 : 0;
}

function hasLegalForms({ first, end, key, way, changes }: Path): boolean {
  return way === "normed" && changes === 0 && end - first <= mostBeforeLegalForm && key.length > 1;
}

function distinct(paths: readonly Path[]): Path[] {
  return [
    ...new Map(
      paths.map((path) => [`${path.first} ${path.end} ${path.way} ${path.changes} ${path.key}`, path] as const),
    ).values(),
  ];
}

function spellingsOf({ norm }: Word, next: Word | undefined, text: string): Spellings {
  const others = new Set<string>();
  const folded = foldName(text);
  const written = /[\p{L}\p{N}]/u.test(text) ? folded : "";
  others.add(written);
  if (signWords.has(norm) || (norm === "dot" && topLevel.has(next?.norm ?? ""))) others.add("");
  for (const [long] of spelledShort.get(norm) ?? []) others.add(long);
  const ordinal = ordinals.indexOf(norm);
  if (ordinal >= 0) others.add(`${ordinal + 1}${["st", "nd", "rd"][ordinal] ?? "th"}`);
  if (/^\d{1,3}$/.test(norm)) for (const spelled of numberSpellings(Number(norm))) others.add(spelled);
  if (/^\p{L}{2,4}$/u.test(norm)) others.add(Array.from(norm).join(" "));
  const parts = norm.match(/\d+|\D+/g) ?? [];
  if (parts.length > 1) others.add(parts.join(" "));
  others.delete(norm);
  return { norm, written, others: [...others] };
}

function numberSpellings(value: number): string[] {
  if (value >= 100) return value % 100 === 0 ? [`${units[value / 100] ?? ""} hundred`] : [];
  if (value >= 20) {
    const ten = tens[Math.floor(value / 10) - 2] ?? "";
    return [value % 10 === 0 ? ten : `${ten} ${units[value % 10] ?? ""}`];
  }
  const word = [...units, ...teens][value] ?? "";
  return value === 2 ? [word, "ii"] : value === 3 ? [word, "iii"] : [word];
}

function withoutEnding(key: string): string[] {
  if (key.length < 3 || !key.endsWith("s") || key.endsWith("ss")) return [];
  return /(?:[sxz]|[cs]h)es$/.test(key) ? [key.slice(0, -1), key.slice(0, -2)] : [key.slice(0, -1)];
}

/** "face book" → "facebook", "i k e a" → "ikea": the words from one on that may be written as one, none from `end` on. */
function writtenTogether(words: readonly Word[], from: number, end: number): { norm: string; words: number }[] {
  const found: { norm: string; words: number }[] = [];
  let [norm, areInitials] = ["", true];
  for (let index = from; index < Math.min(end, words.length); index += 1) {
    const word = words[index];
    const taken = index - from + 1;
    if (word === undefined || (taken > 1 && word.gap !== "none")) break;
    norm += word.norm;
    areInitials &&= word.norm.length === 1;
    if (taken > longestJoin && !(areInitials && taken <= longestInitials)) break;
    if (taken > 1) found.push({ norm, words: taken });
  }
  return found;
}

/** "rocketmoney" → "rocket money"; a name of up to three words, perhaps after a word such as "get". */
function withinAddress(norm: string): string[] {
  if (norm.length > longestLabel) return [];
  return addressPrefixes
    .filter((prefix) => norm.startsWith(prefix) && norm.length > prefix.length + 2)
    .flatMap((prefix) => divisions(norm.slice(prefix.length), 3));
}

function divisions(text: string, most: number): string[] {
  if (most === 1) return [text];
  const found = [text];
  for (let at = 1; at < text.length; at += 1)
    for (const rest of divisions(text.slice(at), most - 1)) found.push(`${text.slice(0, at)} ${rest}`);
  return found;
}

function joined(a: string, b: string): string {
  return a === "" || b === "" ? a + b : `${a} ${b}`;
}
