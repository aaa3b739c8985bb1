import { type SpokenWord, spokenWords } from "../spokenWords.ts";

/** Where words stand in a text: UTF-16 code units `[charStart, charEnd)`, an ending of their own ("'s", "s") left out. */
export interface WordsHit {
  charStart: number;
  charEnd: number;
}

/** Words that people wrote, and what stands for them. Null: the words are right, and only name somebody. */
export interface Wording {
  wrongWords: string;
  rightWords: string | null;
}

/** Words as they are compared: folded, apart by one space. Empty where a text has none. */
export function wordsKey(text: string): string {
  return spokenWords(text)
    .map(({ word }) => word)
    .join(" ");
}

/**
 * The places of a text that say the wrong words, from left to right and none over another: whole words, whatever their case and accents, in one
 * sentence, also with a possessive or plural ending. What stands in an address or a handle ("lumora.com", "@lumora") is none, and neither is a
 * part of the right words.
 */
export function findWrong(text: string, { wrongWords, rightWords }: Wording): WordsHit[] {
  const hits = findWords(text, wrongWords);
  if (hits.length === 0 || rightWords === null) return hits;
  const right = findWords(text, rightWords);
  return hits.filter((hit) => !right.some((one) => one.charStart < hit.charEnd && hit.charStart < one.charEnd));
}

/** The text with other words at the places of hits, which are in order; all else of it stays, endings and punctuation too. */
export function replaceWords(text: string, hits: readonly WordsHit[], words: string): string {
  let replaced = "";
  let from = 0;
  for (const { charStart, charEnd } of hits) {
    replaced += text.slice(from, charStart) + words;
    from = charEnd;
  }
  return replaced + text.slice(from);
}

function findWords(text: string, said: string): WordsHit[] {
  const words = spokenWords(text);
  const wanted = spokenWords(said);
  const hits: WordsHit[] = [];
  if (wanted.length === 0) return hits;
  for (let first = 0; first + wanted.length <= words.length;) {
    const hit = hitAt(text, words.slice(first, first + wanted.length), said, wanted);
    if (hit === null || cutsSign(words, first, first + wanted.length)) first += 1;
    else {
      hits.push(hit);
      first += wanted.length;
    }
  }
  return hits;
}

function hitAt(
  text: string,
  words: readonly SpokenWord[],
  said: string,
  wanted: readonly SpokenWord[],
): WordsHit | null {
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return null;
  for (let n = 0; n < words.length - 1; n += 1) {
    if (words[n]?.word !== wanted[n]?.word) return null;
    if (!isTogether(gapAfter(text, words, n), gapAfter(said, wanted, n))) return null;
  }
  const ending = endingOf(text.slice(last.charStart, last.charEnd), last.word, wanted.at(-1)?.word ?? "");
  if (ending === null || isInAddress(text, first.charStart, last.charEnd)) return null;
  return { charStart: first.charStart, charEnd: last.charEnd - ending.length };
}

/** What the last word has beyond the one that is wanted; null where it is another word. */
function endingOf(written: string, word: string, wanted: string): string | null {
  if (word === wanted) return "";
  return word === `${wanted}s` ? (/['’ʼ`]?s$/i.exec(written)?.[0] ?? null) : null;
}

function gapAfter(text: string, words: readonly SpokenWord[], n: number): string {
  return text.slice(words[n]?.charEnd, words[n + 1]?.charStart);
}

/** Words of one name are apart by spaces and hyphens, or by what the name itself is written with. */
function isTogether(gap: string, wanted: string): boolean {
  return /^[\s\p{Pd}]*$/u.test(gap) || gap.trim() === wanted.trim();
}

function isInAddress(text: string, start: number, end: number): boolean {
  return (
    /(?:[@/_\\]|[\p{L}\p{N}]\.)$/u.test(text.slice(Math.max(0, start - 3), start)) ||
    /^(?:[@/_\\]|\.[\p{L}\p{N}])/u.test(text.slice(end, end + 3))
  );
}

/** One sign may be several words (½): it is taken whole or not at all. */
function cutsSign(words: readonly SpokenWord[], first: number, end: number): boolean {
  const isOne = (a: number, b: number) => words[a] !== undefined && words[a].charStart === words[b]?.charStart;
  return isOne(first - 1, first) || isOne(end - 1, end);
}
