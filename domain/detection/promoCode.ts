import {
  isCapitals,
  isSign,
  isSpelling,
  readCode,
  readCodeBefore,
  readSpelled,
  type ToldCode,
  writtenAhead,
} from "./codeForms.ts";
import { findCues, plainOf } from "./cues.ts";
import {
  asking,
  codeBefore,
  codeCues,
  commerce,
  goodFor,
  howWritten,
  noCode,
  offered,
  otherCodeBefore,
  pointing,
  putInto,
  putThere,
  spokenOf,
  telling,
  type Trust,
  typing,
} from "./promoCues.ts";
import { isAddress } from "./findNames.ts";
import type { Speech, WordRange } from "./speech.ts";

/** A code to buy with; `[first, end)` are all words that tell it. */
export interface PromoCode extends WordRange {
  code: string;
}

const saysCode = /(?:promo|coupon|offer|discount|voucher|word|keyword|phrase|is|was)s?$/;
const isCueWord = /^(?:codes?|is|its|thats|word|name)$/;
const contextWords = 30;
const aheadWords = 14;
const spellingWithinWords = 8;
const leastSlightLength = 4;

/**
 * The promotional codes that are told in the speech, as they would be typed in: "save twenty" → SAVE20, "s a v e two zero" → SAVE20. `names` are those of
 * who may advertise: where nothing speaks of a code, they are none.
 */
export function promoCodes(speech: Speech, names: readonly WordRange[]): PromoCode[] {
  const found: { first: number; told: ToldCode }[] = [];
  const note = (first: number, told: ToldCode) => {
    if (!found.some((known) => isOverlap(known.told, told))) found.push({ first: Math.min(first, told.first), told });
  };
  const addresses = addressStarts(speech, names);
  const limit = (from: number) => addresses.find((address) => address > from) ?? speech.words.length;
  const read = (from: number) => (speech.words[from]?.gap === "stop" ? null : readCode(speech, from, limit(from)));
  for (const { pattern, trust } of codeCues) {
    for (const hit of findCues(speech, pattern)) {
      if (isAnotherCode(speech, hit.first, hit.match[0])) continue;
      const told = read(afterCue(speech, hit));
      const ahead = trust === "slight" ? null : writtenAhead(speech, hit.end);
      if (told !== null && isVouchedFor(speech, told, { trust, cue: hit, names })) note(hit.first, told);
      else if (ahead !== null && !isNamed(ahead, names) && isBuying(speech, hit)) note(hit.first, ahead);
    }
  }
  for (const hit of findCues(speech, pointing)) {
    const told = spokenOf.test(before(speech, hit.first)) ? read(hit.end) : null;
    if (told === null || !isBuying(speech, hit) || isNamed(told, names)) continue;
    const isGood =
      isConfirmed(speech, told) &&
      (telling.test(hit.match[0]) || !/^(?:, )?(?:and|so|you|they) /.test(after(speech, told.end)));
    if (told.form !== "plain" || isGood) note(hit.first, told);
  }
  for (const hit of findCues(speech, asking)) {
    const told = isAsked(speech, hit.end) ? readCode(speech, hit.end, limit(hit.end)) : null;
    if (told !== null && told.form !== "plain" && isBuying(speech, hit)) note(hit.first, told);
  }
  for (const hit of findCues(speech, codeBefore)) {
    const told = readCodeBefore(speech, hit.first);
    if (told !== null && !isNamed(told, names) && fits(told, hit.match) && isBuying(speech, hit))
      note(told.first, told);
  }
  return found.sort((a, b) => a.first - b.first).map(({ first, told }) => withSpelling(speech, first, told));
}

/** Whether words are letters of a code that is spelled out ("I T" of "T W I T"). */
export function isInSpelledCode(speech: Speech, { first, end }: WordRange, codes: readonly PromoCode[]): boolean {
  return speech.words.slice(first, end).every(isSign) && codes.some((code) => code.first <= first && code.end >= end);
}

const isOverlap = (a: WordRange, b: WordRange) => a.first < b.end && b.first < a.end;
const isNamed = (told: WordRange, names: readonly WordRange[]) => names.some((name) => isOverlap(name, told));

/** Where addresses begin: a code ends before one ("use code kayak acme dot com"). */
function addressStarts(speech: Speech, names: readonly WordRange[]): number[] {
  const named = names.filter(({ end }) => isAddress(speech.words, end - 1)).map(({ first }) => first);
  const dots = speech.words.flatMap((_, index) => (isAddress(speech.words, index) ? [index] : []));
  return [...named, ...dots].sort((a, b) => a - b);
}

/** A word of the cue that is in capitals is the code itself ("promo code TODAY"). */
function afterCue(speech: Speech, { first, end }: WordRange): number {
  const last = speech.words[end - 1];
  const isCode = end - first > 1 && isCapitals(speech, last) && !isCueWord.test(last?.norm ?? "");
  return isCode ? end - 1 : end;
}

/** "Zip code", "learn to code", "no code": the text up to the word tells. */
function isAnotherCode(speech: Speech, first: number, cue: string): boolean {
  const at = cue.search(/(?<=^| )codes?(?: |$)/);
  if (at < 0) return false;
  const text = before(speech, first) + cue.slice(0, at);
  return otherCodeBefore.test(text) || noCode.test(text);
}

function isVouchedFor(
  speech: Speech,
  told: ToldCode,
  { trust, cue, names }: { trust: Trust; cue: WordRange & { match: RegExpExecArray }; names: readonly WordRange[] },
): boolean {
  if (trust === "slight") return !isNamed(told, names) && looksLikeOne(speech, told, cue);
  if (told.form !== "plain") return true;
  if (!isBuying(speech, cue)) return false;
  if (/^\d+$/.test(told.code) && trust !== "named") return isConfirmed(speech, told);
  if (isConfirmed(speech, told) || trust === "used") return true;
  if (speech.hasCapitals) return speech.words[told.first]?.capitals !== "none" || isColon(speech, told);
  // "The code is my last name", "the code you need is"
  return trust === "named" || !/^codes?(?: is)?$/.test(cue.match[0]) || isToldAgain(speech, told);
}

/** Where nothing has spoken of a code. */
function looksLikeOne(speech: Speech, told: ToldCode, cue: WordRange & { match: RegExpExecArray }): boolean {
  if (!isBuying(speech, cue)) return false;
  const [wording] = cue.match;
  const isUsing = /^(?:us|with|appl|mention)/.test(wording);
  const isPut = putInto.test(after(speech, told.end)) || (!isUsing && putThere.test(before(speech, cue.first)));
  if (told.form === "plain")
    return isPut || (isConfirmed(speech, told) && (typing.test(wording) || /\d$/.test(told.code)));
  // "Use PayPal at checkout"
  if (told.form === "written" && !/\d/.test(told.code) && !isCapitals(speech, speech.words[told.first])) return false;
  if (told.form === "written" && told.code.length < leastSlightLength) return isPut;
  const isOffered = offered.test(before(speech, cue.first));
  // "With USB", "made with SPF50"
  return isPut || isOffered || (!wording.startsWith("with") && isConfirmed(speech, told)) || saysCode.test(wording);
}

function isConfirmed(speech: Speech, { end }: WordRange): boolean {
  const text = after(speech, end);
  return putInto.test(text) || goodFor.test(text) || howWritten.test(text);
}

/** "Hello, that is hello", "hello h e l l o". */
function isToldAgain(speech: Speech, { first, end }: WordRange): boolean {
  const word = speech.words[first];
  const again = speech.words.slice(end, end + spellingWithinWords);
  return word !== undefined && (isSpelling(speech, end, word) || again.some(({ norm }) => norm === word.norm));
}

function isColon({ words }: Speech, { first }: WordRange): boolean {
  return words[first]?.before.includes(":") ?? false;
}

function isAsked(speech: Speech, index: number): boolean {
  const word = speech.words[index - 1];
  return word !== undefined && (speech.segments[word.segment]?.text.slice(word.end).startsWith("?") ?? false);
}

/** Before "is the code" any word may stand; before "gets you ten percent off" only what looks like a code, such as one with that figure. */
function fits({ form, code }: ToldCode, [text]: RegExpExecArray): boolean {
  if (/ code$/.test(text)) return true;
  const figure = /\d+/.exec(text)?.[0];
  return form === "plain" ? figure !== undefined && code.endsWith(figure) : code.length >= leastSlightLength;
}

function isBuying(speech: Speech, { first, end }: WordRange): boolean {
  return commerce.test(
    plainOf(speech, {
      first: Math.max(0, first - contextWords),
      end: Math.min(speech.words.length, end + contextWords),
    }),
  );
}

const before = (speech: Speech, first: number) =>
  plainOf(speech, { first: Math.max(0, first - aheadWords), end: first });
/** What follows in the sentence. */
const after = (speech: Speech, first: number) =>
  speech.words[first]?.gap === "stop" ? "" : plainOf(speech, { first, end: first + aheadWords });

/** Where a code is spelled out after it is said, the spelling is right; figures that it leaves out stay. */
function withSpelling(speech: Speech, first: number, told: ToldCode): PromoCode {
  const { code, end } = told;
  for (let index = end; index < end + spellingWithinWords; index += 1) {
    if (isSign(speech.words[index - 1]) && index > end) continue;
    const spelled = readSpelled(speech, index);
    if (spelled === null || spelled.code[0] !== code[0]) continue;
    if (spelled.code.replaceAll(/\d/g, "").length < 3 && spelled.code !== code) continue;
    const figures = /\d*$/.exec(code)?.[0] ?? "";
    const spelling = spelled.code.endsWith(figures) ? spelled.code : spelled.code + figures;
    if (spelling.length >= code.length - 2) return { first, end: spelled.end, code: spelling };
  }
  return { first, end, code };
}
