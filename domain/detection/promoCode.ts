import {
  isCapitals,
  isSign,
  lettersOf,
  readCode,
  readCodeBefore,
  readSpelled,
  type ToldCode,
  writtenAhead,
} from "./codeForms.ts";
import { isAnotherCode, isAsked, isBuying, isPointedAt, isSubject, isVouchedFor } from "./codeTrust.ts";
import { findCues } from "./cues.ts";
import { isAddress } from "./findNames.ts";
import { asking, codeBefore, codeCues, pointing } from "./promoCues.ts";
import type { Speech, WordRange } from "./speech.ts";

/** A code to buy with; `[first, end)` are all words that tell it. */
export interface PromoCode extends WordRange {
  code: string;
}

const spellingWithinWords = 8;
const leastSpelledLetters = 3;
const isCueWord = /^(?:codes?|is|its|thats|word|name)$/;

/**
 * The promotional codes that are told in the speech, as they would be typed in: "save twenty" → SAVE20, "s a v e two zero" → SAVE20. `names` are those of
 * who may advertise: where nothing speaks of a code, they are none.
 */
export function promoCodes(speech: Speech, names: readonly WordRange[]): PromoCode[] {
  const found: { first: number; told: ToldCode }[] = [];
  const taken = new Set<number>();
  const note = (first: number, told: ToldCode) => {
    const words = wordsOf(told);
    if (words.some((word) => taken.has(word))) return;
    for (const word of words) taken.add(word);
    found.push({ first: Math.min(first, told.first), told });
  };
  const isName = (told: ToldCode) => names.some((name) => isOverlap(name, told));
  const limits = nextAddresses(speech, names);
  const read = (from: number) => readCode(speech, from, limits[from] ?? speech.words.length);
  const isStop = (index: number) => speech.words[index]?.gap === "stop";
  for (const { pattern, trust } of codeCues) {
    for (const hit of findCues(speech, pattern)) {
      if (isAnotherCode(speech, hit)) continue;
      const from = afterCue(speech, hit);
      const told = isStop(from) ? null : read(from);
      const later = trust === "slight" ? null : writtenAhead(speech, hit.end);
      if (told !== null && isVouchedFor(speech, told, { ...hit, trust }) && !(trust === "slight" && isName(told)))
        note(hit.first, told);
      else if (later !== null && !isName(later) && isBuying(speech, hit)) note(hit.first, later);
    }
  }
  for (const hit of findCues(speech, pointing)) {
    const told = isStop(hit.end) ? null : read(hit.end);
    if (told !== null && !isName(told) && isPointedAt(speech, told, hit)) note(hit.first, told);
  }
  for (const hit of findCues(speech, asking)) {
    const told = isAsked(speech, hit.end) ? read(hit.end) : null;
    if (told !== null && told.form !== "plain" && isBuying(speech, hit)) note(hit.first, told);
  }
  for (const hit of findCues(speech, codeBefore)) {
    const told = readCodeBefore(speech, hit.first);
    if (told !== null && !isName(told) && isSubject(speech, told, hit)) note(told.first, told);
  }
  const codes: PromoCode[] = [];
  for (const { first, told } of found.sort((a, b) => a.told.first - b.told.first)) {
    // The spelling of a code is no code of its own.
    if (told.end > (codes.at(-1)?.end ?? 0)) codes.push(withSpelling(speech, first, told));
  }
  return codes;
}

/** Whether words are letters of a code that is spelled out ("I T" of "T W I T"). */
export function isInSpelledCode(speech: Speech, { first, end }: WordRange, codes: readonly PromoCode[]): boolean {
  return speech.words.slice(first, end).every(isSign) && codes.some((code) => code.first <= first && code.end >= end);
}

const wordsOf = ({ first, end }: WordRange) => Array.from({ length: end - first }, (_, index) => first + index);
const isOverlap = (a: WordRange, b: WordRange) => a.first < b.end && b.first < a.end;

/** For each word, where the next address after it begins: a code ends before one ("use code kayak acme dot com"). */
function nextAddresses({ words }: Speech, names: readonly WordRange[]): number[] {
  const named = new Set(names.filter(({ end }) => isAddress(words, end - 1)).map(({ first }) => first));
  const next: number[] = [];
  let address = words.length;
  for (let index = words.length - 1; index >= 0; index -= 1) {
    next[index] = address;
    if (named.has(index) || isAddress(words, index)) address = index;
  }
  return next;
}

/** A last word of the cue that is in capitals is the code itself ("promo code TODAY"). */
function afterCue(speech: Speech, { first, end }: WordRange): number {
  const last = speech.words[end - 1];
  const isCode = end - first > 1 && isCapitals(speech, last) && !isCueWord.test(last?.norm ?? "");
  return isCode ? end - 1 : end;
}

/** Where a code is spelled out after it is said, the spelling is right; figures that it leaves out stay. */
function withSpelling(speech: Speech, first: number, told: ToldCode): PromoCode {
  const { code, end } = told;
  for (let index = end; index < end + spellingWithinWords; index += 1) {
    if (isSign(speech.words[index - 1]) && index > end) continue;
    const spelled = readSpelled(speech, index);
    if (spelled === null || spelled.code[0] !== code[0]) continue;
    if (lettersOf(spelled.code) < leastSpelledLetters && spelled.code !== code) continue;
    const figures = /\d*$/.exec(code)?.[0] ?? "";
    const spelling = spelled.code.endsWith(figures) ? spelled.code : spelled.code + figures;
    if (spelling.length >= code.length - 2) return { first, end: spelled.end, code: spelling };
  }
  return { first, end, code };
}
