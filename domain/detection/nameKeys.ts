import { foldName } from "../names.ts";
import { teens, tens, units } from "../numberWords.ts";
import { legalForms, topLevel } from "./nameForms.ts";
import { readSpeech } from "./speech.ts";
import type { SpokenSegment } from "./types.ts";
import type { Word } from "./word.ts";
import { ordinals } from "./numbers.ts";
import { addressPrefixes, isAddress } from "./findNames.ts";
import { shortForms } from "./words.ts";

const longestName = 16;
/** Names of so many words are also looked for in other spellings of two of their words, longer ones of one. */
const shortName = 3;
const longestJoin = 3;
const longestInitials = 5;
const signWords = new Set(["and", "plus", "sharp"]);
const spelledShort = Map.groupBy(shortForms, ([, short]) => short);

/**
 * The folded names (`foldName`) that a text may hold, by all the ways in which `findNames` sees names: endings left off, words written together
 * or apart, numbers, initials and abbreviations in other spellings, legal forms left out. A few hundred for each dozen words, and what they
 * find is more than what is named: a gazetteer of the names with these keys finds in the text what one of all names does.
 */
export function nameKeys(segments: readonly SpokenSegment[]): string[] {
  const { words, segments: spoken } = readSpeech(segments);
  const keys = new Set<string>();
  const spellings = words.map((word, index) =>
    spellingsOf(word, words[index + 1], (spoken[word.segment]?.text ?? "").slice(word.start, word.end)),
  );
  for (let first = 0; first < words.length; first += 1) {
    if (isAddress(words, first)) for (const key of withinAddress(words[first]?.norm ?? "")) keys.add(key);
    let written = "";
    for (let end = first + 1; end <= Math.min(words.length, first + longestName); end += 1) {
      if (end - 1 > first && words[end - 1]?.gap === "stop") break;
      const said = spellings.slice(first, end);
      written = joined(written, spellings[end - 1]?.written ?? "");
      keys.add(written);
      addSpellings(keys, words.slice(first, end), said);
    }
  }
  keys.delete("");
  return [...keys];
}

interface Spellings {
  norm: string;
  /** Folded as it stands in the text. */
  written: string;
  others: readonly string[];
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

/** The n-gram as its words are normed, with other spellings of some, with words written together, and each without the ending of its last word. */
function addSpellings(keys: Set<string>, words: readonly Word[], said: readonly Spellings[]): void {
  const norms = said.map(({ norm }) => norm);
  const plain = norms.join(" ");
  addEndings(keys, plain);
  if (words.length < 5 && !(words.length === 1 && plain.length < 2))
    for (const form of legalForms) keys.add(`${plain} ${form}`);
  for (const variant of variantsOf(said, words.length <= shortName ? 2 : words.length <= 10 ? 1 : 0))
    addEndings(keys, variant);
  if (words.length <= shortName + 2) for (const together of writtenTogether(words, norms)) addEndings(keys, together);
}

function addEndings(keys: Set<string>, key: string): void {
  keys.add(key);
  if (key.length < 3 || !key.endsWith("s") || key.endsWith("ss")) return;
  keys.add(key.slice(0, -1));
  if (/(?:[sxz]|[cs]h)es$/.test(key)) keys.add(key.slice(0, -2));
}

function variantsOf(said: readonly Spellings[], changes: number): string[] {
  let variants: { key: string; left: number }[] = [{ key: "", left: changes }];
  for (const { norm, others } of said) {
    variants = variants.flatMap(({ key, left }) => [
      { key: joined(key, norm), left },
      ...(left === 0 ? [] : others.map((other) => ({ key: joined(key, other), left: left - 1 }))),
    ]);
  }
  return variants.filter(({ left }) => left < changes).map(({ key }) => key);
}

/** "face book" → "facebook", "i k e a" → "ikea". */
function writtenTogether(words: readonly Word[], norms: readonly string[]): string[] {
  const found: string[] = [];
  for (let from = 0; from < norms.length; from += 1) {
    for (let to = from + 2; to <= norms.length; to += 1) {
      const run = words.slice(from, to);
      const areInitials = run.every(({ norm }) => norm.length === 1) && run.length <= longestInitials;
      if ((run.length > longestJoin && !areInitials) || run.some(({ gap }, n) => n > 0 && gap !== "none")) break;
      found.push([...norms.slice(0, from), norms.slice(from, to).join(""), ...norms.slice(to)].join(" "));
    }
  }
  return found;
}

/** "rocketmoney" → "rocket money"; a name of up to three words, perhaps after a word such as "get". */
function withinAddress(norm: string): string[] {
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
