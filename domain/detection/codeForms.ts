import { ending, following, joining, noCodes, qualities } from "./codeWords.ts";
import { commonnessOf } from "./commonWords.ts";
import { plainOf } from "./cues.ts";
import { type Speech, type SpokenWord, type WordRange } from "./speech.ts";

/** A code as it is told in words `[first, end)`; `marked` by quotes or by "all one word", `plain` where it is ordinary words. */
export interface ToldCode extends WordRange {
  code: string;
  form: "written" | "marked" | "spelled" | "plain";
}

const mostWords = 3;
const mostJoinedWords = 5;
const mostWordsBetween = 9;
const joinedHint = /^((?:[a-z0-9]+ ){1,5}?)(?:, )?(?:thats |its )?(?:all )?(?:1 word|no spaces?)(?= )/;

/** Reads the code that begins at a word and ends before another at the latest, as it would be typed in; null where none can. */
export function readCode(speech: Speech, from: number, limit: number): ToldCode | null {
  const first = speech.words[from];
  if (first === undefined || isSum(speech, from)) return null;
  if (noCodes.has(first.norm) && !isCapitals(speech, first)) return null;
  const told =
    readQuoted(speech, from) ??
    readJoined(speech, from) ??
    readWritten(speech, from) ??
    (first.norm.length === 1 || isRepeat(first) ? readSpelled(speech, from) : null) ??
    readWords(speech, from, limit);
  return told === null ? null : withNumber(speech, told);
}

/** "bright, and then the number five". */
function withNumber(speech: Speech, told: ToldCode): ToldCode {
  const hit = /^(?:, )?(?:and )?(?:then )?(?:followed by )?the (?:number|digit)s? (\d+)(?= )/.exec(
    plainOf(speech, { first: told.end, end: told.end + 8 }),
  );
  if (hit?.[1] === undefined) return told;
  const words = hit[0].split(" ").filter((word) => word !== ",").length;
  return { ...told, code: told.code + hit[1], end: told.end + words };
}

/** A code in capitals some words on, after a pause or "is": "the code is, wait for it, TURBO". */
export function writtenAhead(speech: Speech, from: number): ToldCode | null {
  for (let index = from; index < from + mostWordsBetween && speech.words[index]?.gap !== "stop"; index += 1) {
    const word = speech.words[index];
    const isTold = word?.gap === "pause" || /^(?:is|its|thats)$/.test(speech.words[index - 1]?.norm ?? "");
    if (isTold && isCapitals(speech, word) && word !== undefined && word.norm.length > 2)
      return readWritten(speech, index);
  }
  return null;
}

/** Reads the code that ends before a word: in writing, or of one word (and figures) that stands by itself. */
export function readCodeBefore(speech: Speech, end: number): ToldCode | null {
  let first = end - 1;
  if (isFigure(speech.words[first]) && speech.words[first]?.gap === "none") first -= 1;
  const word = speech.words[first];
  if (
    word === undefined ||
    isFunction(word) ||
    noCodes.has(word.norm) ||
    qualities.has(word.norm) ||
    /^.?$/.test(word.norm)
  )
    return null;
  if (speech.words[end]?.gap === "stop") return null;
  if (isWritten(speech, word)) {
    while (
      first > end - mostWords &&
      speech.words[first]?.gap === "none" &&
      isCapitals(speech, speech.words[first - 1])
    )
      first -= 1;
    return { first, end, code: joined(speech, { first, end }), form: "written" };
  }
  const before = speech.words[first - 1];
  const isApart = word.gap !== "none" || before === undefined || before.segment !== word.segment || isFunction(before);
  return speech.hasCapitals || !isApart ? null : { first, end, code: joined(speech, { first, end }), form: "plain" };
}

/** Letters one by one, figures among them, "double" as said; null for fewer than two. */
export function readSpelled(speech: Speech, from: number): ToldCode | null {
  let code = "";
  let end = from;
  for (let word = speech.words[end]; word !== undefined; word = speech.words[end]) {
    if (end > from && (word.gap === "stop" || isSum(speech, end))) break;
    const repeated = isRepeat(word) ? speech.words[end + 1] : undefined;
    const sign = repeated ?? word;
    if (!isSign(sign)) break;
    code += repeated === undefined ? sign.norm : sign.norm.repeat(word.norm === "double" ? 2 : 3);
    end += repeated === undefined ? 1 : 2;
  }
  const next = speech.words[end];
  // "n i n a i love it": the sentence goes on with a word of one letter.
  if (code.length > 3 && /[ai]$/.test(code) && next !== undefined && next.gap === "none" && !following.has(next.norm)) {
    const isWord = commonnessOf(next.norm) !== "none" && speech.words[end - 2]?.norm.length === 1;
    if (isWord && /[aeiou].$/.test(code)) {
      code = code.slice(0, -1);
      end -= 1;
    }
  }
  return code.length < 2 ? null : { first: from, end, code: code.toUpperCase(), form: "spelled" };
}

/** How many letters a code has. */
export const lettersOf = (code: string): number => code.replaceAll(/\d/g, "").length;

/** Whether a word is a letter alone or a figure. */
export function isSign(word: SpokenWord | undefined): boolean {
  return word !== undefined && (word.norm.length === 1 || isFigure(word));
}

function readQuoted(speech: Speech, from: number): ToldCode | null {
  if (!/["“”‘'«]$/.test(speech.words[from]?.before ?? "")) return null;
  for (let index = from; index < from + mostJoinedWords; index += 1) {
    if (index > from && speech.words[index]?.gap === "stop") return null;
    if (/^[.,!?]?["”’'»]/.test(after(speech, index)))
      return { first: from, end: index + 1, code: joined(speech, { first: from, end: index + 1 }), form: "marked" };
  }
  return null;
}

/** "morning ledger, all one word". */
function readJoined(speech: Speech, from: number): ToldCode | null {
  const ahead = plainOf(speech, { first: from, end: Math.min(from + mostJoinedWords + 5, speech.words.length) });
  const words = joinedHint.exec(`${ahead} `)?.[1]?.trim().split(" ");
  if (words === undefined || words.some((word) => /^codes?$/.test(word))) return null;
  const range = { first: from, end: from + words.length };
  return { ...range, code: joined(speech, range), form: "marked" };
}

/** In capitals or with figures within ("SAVE20", "ledger50"); further words in capitals, and figures that were put apart, belong to it ("TECH TALK 20"). */
function readWritten(speech: Speech, from: number): ToldCode | null {
  const first = speech.words[from];
  if (first === undefined || !isWritten(speech, first)) return null;
  let end = from + 1;
  while (end < from + mostWords && speech.words[end]?.gap === "none" && isCapitals(speech, first)) {
    if (!isCapitals(speech, speech.words[end])) break;
    end += 1;
  }
  const next = speech.words[end];
  if (isFigure(next) && next?.gap === "none" && !isSum(speech, end)) end += 1;
  return { first: from, end, code: joined(speech, { first: from, end }), form: "written" };
}

function readWords(speech: Speech, from: number, limit: number): ToldCode | null {
  const first = speech.words[from];
  if (first === undefined || isGrammar(speech, from)) return null;
  let end = from + 1;
  for (let word = speech.words[end]; word !== undefined && end < limit; word = speech.words[end]) {
    if (word.gap !== "none" || isSum(speech, end) || isSpelling(speech, end, first)) break;
    if (!isFigure(word)) {
      if (following.has(word.norm) || ending.has(word.norm) || word.sentence !== first.sentence) break;
      // "… save ten percent"
      if (isSum(speech, end + 1) || isFreeThing(speech, end)) break;
      if (speech.hasCapitals && first.capitals !== "none" && word.capitals === "none") break;
    }
    end += 1;
  }
  const words = speech.words.slice(from, end).filter((word) => !isFigure(word)).length;
  // Many words with no end in sight are a sentence, of which the first is the code at most.
  if (words > mostWords) end = from + 1;
  return { first: from, end, code: joined(speech, { first: from, end }), form: "plain" };
}

/** "Free shipping", but not "sugar free at checkout". */
function isFreeThing({ words }: Speech, index: number): boolean {
  const next = words[index + 1];
  return words[index]?.norm === "free" && next?.gap === "none" && !following.has(next.norm);
}

/** Whether the sentence goes on with the word rather than tell a code; "get twenty" and "go big" tell one, "for twenty" does not. */
function isGrammar(speech: Speech, index: number): boolean {
  const word = speech.words[index];
  if (word === undefined || !(following.has(word.norm) || (isFunction(word) && word.capitals === "none"))) return false;
  const next = speech.words[index + 1];
  const isPhrase = /^(?:go|lets|be|do)$/.test(word.norm) && next?.gap === "none" && !following.has(next.norm);
  if (isPhrase && !isFigure(next)) return false;
  return joining.has(word.norm) || !isFigure(next) || next?.gap !== "none" || isSum(speech, index + 1);
}

/** Whether letters begin that spell a word with the same first letter out. */
export function isSpelling(speech: Speech, index: number, { norm }: SpokenWord): boolean {
  const spelled = readSpelled(speech, index);
  return spelled !== null && lettersOf(spelled.code) > 2 && spelled.code[0]?.toLowerCase() === norm[0];
}

/** Whether a figure is an amount rather than a part of a code. */
function isSum(speech: Speech, index: number): boolean {
  const word = speech.words[index];
  if (!isFigure(word)) return false;
  return (
    /[$€£]/.test(word?.before ?? "") ||
    after(speech, index).startsWith("%") ||
    /^(?:percent|dollars|bucks|pounds|euros|off|free|extra|(?:day|week|month|year)s?)$/.test(
      speech.words[index + 1]?.norm ?? "",
    )
  );
}

function isWritten(speech: Speech, word: SpokenWord): boolean {
  return (speech.hasCapitals && word.capitals === "inner") || (/\d/.test(word.norm) && /[a-z]/.test(word.norm));
}

/** Whether a word is written in capitals alone, in a text where that tells something. */
export function isCapitals(speech: Speech, word: SpokenWord | undefined): boolean {
  if (word === undefined || !speech.hasCapitals || word.capitals !== "inner") return false;
  const raw = rawOf(speech, word);
  return raw === raw.toUpperCase();
}

function rawOf(speech: Speech, word: SpokenWord): string {
  return speech.segments[word.segment]?.text.slice(word.start, word.end) ?? "";
}

const isFunction = (word: SpokenWord) => commonnessOf(word.norm) === "function";
const isRepeat = (word: SpokenWord) => word.norm === "double" || word.norm === "triple";
const isFigure = (word: SpokenWord | undefined) => word !== undefined && /^\d+$/.test(word.norm);

function after(speech: Speech, index: number): string {
  const word = speech.words[index];
  return word === undefined ? "" : (speech.segments[word.segment]?.text.slice(word.end, word.end + 3) ?? "");
}

/** Words as one, as they are written; numbers in figures, unless the text has the word in capitals ("TEN"). */
function joined(speech: Speech, { first, end }: WordRange): string {
  const parts = speech.words.slice(first, end).map((word) => {
    if (isFigure(word) && !isCapitals(speech, word)) return word.norm;
    return rawOf(speech, word)
      .normalize("NFKD")
      .replaceAll(/[^\p{L}\p{N}]/gu, "");
  });
  return parts.join("").toUpperCase();
}
