import { foldName } from "../names.ts";
import { unifyNumbers } from "./numbers.ts";
import type { Capitals, Gap, Word } from "./word.ts";

// A sign for "and", "plus" or "sharp" is a word where it is read as one.
const wordPattern = /[\p{L}\p{N}\p{M}]+(?:['’ʼ][\p{L}\p{N}\p{M}]+)*|&|(?<=[\p{L}\p{N}])[+#]/gu;
const plainWord = /^[a-z0-9]+$/;
const apostrophes = /['’ʼ]/g;
const signs = new Map([
  ["&", "and"],
  ["+", "plus"],
  ["#", "sharp"],
]);
// Said in full, written short; both sides of a comparison are brought to the short form.
export const shortForms: ReadonlyMap<string, string> = new Map([
  ["doctor", "dr"],
  ["mister", "mr"],
  ["missus", "mrs"],
  ["saint", "st"],
  ["versus", "vs"],
  ["mount", "mt"],
  ["junior", "jr"],
  ["senior", "sr"],
  ["ii", "2"],
  ["iii", "3"],
]);
const abbreviations = new Set(["dr", "mr", "mrs", "ms", "st", "vs", "mt", "jr", "sr", "inc", "co", "prof", "no"]);

/** The words of a text in order, numbers in figures however they are written ("twenty three" → "23"). */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  let previous: Word | null = null;
  for (const match of text.matchAll(wordPattern)) {
    const raw = match[0];
    const start = match.index;
    const between = previous === null ? text.slice(0, start) : text.slice(previous.end, start);
    const norm = normOf(raw);
    const end = start + raw.length;
    const word: Word = {
      norm,
      start,
      end,
      capitals: capitalsOf(raw),
      possessive: /['’ʼ]s$/i.test(raw) || (/s$/i.test(raw) && /^['’ʼ](?![\p{L}\p{N}])/u.test(text.slice(end, end + 2))),
      gap: previous === null ? "none" : gapOf(between, previous),
      before: between,
    };
    words.push(word);
    previous = word;
  }
  return unifyNumbers(words);
}

function normOf(raw: string): string {
  const sign = signs.get(raw);
  if (sign !== undefined) return sign;
  const lower = raw.toLowerCase().replaceAll(apostrophes, "");
  const folded = plainWord.test(lower) ? lower : foldName(lower).replaceAll(" ", "");
  return shortForms.get(folded) ?? folded;
}

function capitalsOf(raw: string): Capitals {
  if (raw === raw.toLowerCase()) return "none";
  const rest = raw.slice(1);
  if (rest !== rest.toLowerCase()) return "inner";
  return "first";
}

function gapOf(between: string, previous: Word): Gap {
  if (between === " " || between === "" || between === "-") return "none";
  if (/[!?…]|\.\.\.|[\n\r]/.test(between)) return "stop";
  if (/\.["'”’)\]]*\s/.test(between))
    return abbreviations.has(previous.norm) || /^\p{L}$/u.test(previous.norm) ? "none" : "stop";
  return /[,;:()[\]"“”«»–—|]/.test(between) || / - /.test(between) ? "pause" : "none";
}
