import { isCapitals, isSpelling, type ToldCode } from "./codeForms.ts";
import { qualities } from "./codeWords.ts";
import { type CueHit, plainOf } from "./cues.ts";
import {
  byAddress,
  commerce,
  goodFor,
  howWritten,
  noCode,
  offered,
  otherCodeBefore,
  putInto,
  putThere,
  spokenOf,
  telling,
  type Trust,
  typing,
} from "./promoCues.ts";
import type { Speech, WordRange } from "./speech.ts";

const saysCode = /(?:promo|coupon|offer|discount|voucher|word|keyword|phrase|is|was)s?$/;
const contextWords = 30;
const aheadWords = 14;
const toldAgainWithinWords = 8;
const leastSlightLength = 4;

/** Whether what follows a wording for codes is one to buy with. */
export function isVouchedFor(speech: Speech, told: ToldCode, cue: CueHit & { trust: Trust }): boolean {
  if (cue.trust === "slight") return isBuying(speech, cue) && looksLikeOne(speech, told, cue);
  if (told.form !== "plain") return true;
  if (!isBuying(speech, cue)) return false;
  if (/^\d+$/.test(told.code) && cue.trust !== "named") return isConfirmed(speech, told);
  const [wording] = cue.match;
  const isQuality = qualities.has(speech.words[told.first]?.norm ?? "");
  if (isQuality && (cue.trust === "bare" || /(?:is|its|thats)$/.test(wording))) return false;
  if (isConfirmed(speech, told)) return true;
  if (isQuality) return false;
  if (cue.trust === "used") return true;
  if (speech.hasCapitals) {
    const first = speech.words[told.first];
    return first !== undefined && (first.capitals !== "none" || first.before.includes(":"));
  }
  // "The code is my last name", "the code you need is", "acme dot com code kayak"
  const isAlone = /^codes?(?: is)?$/.test(wording) && !byAddress.test(before(speech, cue.first));
  return cue.trust === "named" || !isAlone || isToldAgain(speech, told);
}

/** Whether what follows "it's" or "type", some words after a code was spoken of, is the code. */
export function isPointedAt(speech: Speech, told: ToldCode, cue: CueHit): boolean {
  if (!spokenOf.test(before(speech, cue.first)) || !isBuying(speech, cue)) return false;
  if (told.form !== "plain") return told.code.length > 2;
  const isNewClause = /^(?:, )?(?:and|so|you|they) /.test(after(speech, told.end));
  return isConfirmed(speech, told) && (telling.test(cue.match[0]) || !isNewClause);
}

/** Whether a code was asked for right before the word. */
export function isAsked(speech: Speech, index: number): boolean {
  const word = speech.words[index - 1];
  return word !== undefined && (speech.segments[word.segment]?.text.slice(word.end).startsWith("?") ?? false);
}

/** Before "is the code" any word may stand; before "gets you ten percent off" only what looks like a code, such as one with that figure. */
export function isSubject(speech: Speech, { form, code }: ToldCode, cue: CueHit): boolean {
  const [wording] = cue.match;
  if (!isBuying(speech, cue)) return false;
  if (wording.endsWith(" code")) return true;
  const figure = /\d+/.exec(wording)?.[0];
  return form === "plain" ? figure !== undefined && code.endsWith(figure) : code.length >= leastSlightLength;
}

/** Whether a wording speaks of a code of another sort, or of none: "zip code", "learn to code", "no code". */
export function isAnotherCode(speech: Speech, cue: CueHit): boolean {
  const [wording] = cue.match;
  const at = wording.search(/(?<=^| )codes?(?: |$)/);
  if (at < 0) return false;
  const text = before(speech, cue.first) + wording.slice(0, at);
  return otherCodeBefore.test(text) || noCode.test(text);
}

/** Whether something is for sale around the words. */
export function isBuying(speech: Speech, { first, end }: WordRange): boolean {
  return commerce.test(plainOf(speech, { first: Math.max(0, first - contextWords), end: end + contextWords }));
}

/** Where nothing has spoken of a code. */
function looksLikeOne(speech: Speech, told: ToldCode, cue: CueHit): boolean {
  const [wording] = cue.match;
  const isUsing = /^(?:us|with|appl|mention)/.test(wording);
  const isPut = putInto.test(after(speech, told.end)) || (!isUsing && putThere.test(before(speech, cue.first)));
  if (isPut && told.form !== "written") return true;
  if (told.form === "plain") return isConfirmed(speech, told) && (typing.test(wording) || /\d$/.test(told.code));
  if (told.form === "written") {
    // "Use PayPal at checkout"
    if (!/\d/.test(told.code) && !isCapitals(speech, speech.words[told.first])) return false;
    if (isPut || told.code.length < leastSlightLength) return isPut;
  }
  if (offered.test(before(speech, cue.first)) || saysCode.test(wording)) return true;
  // "With HDMI you get …", "made with SPF50 to …"
  return !wording.startsWith("with") && isConfirmed(speech, told);
}

function isConfirmed(speech: Speech, { end }: WordRange): boolean {
  const text = after(speech, end);
  return putInto.test(text) || goodFor.test(text) || howWritten.test(text);
}

/** "Hello, that is hello", "hello h e l l o". */
function isToldAgain(speech: Speech, { first, end }: WordRange): boolean {
  const word = speech.words[first];
  const again = speech.words.slice(end, end + toldAgainWithinWords);
  return word !== undefined && (isSpelling(speech, end, word) || again.some(({ norm }) => norm === word.norm));
}

const before = (speech: Speech, first: number) =>
  plainOf(speech, { first: Math.max(0, first - aheadWords), end: first });
/** What follows in the sentence. */
const after = (speech: Speech, first: number) =>
  speech.words[first]?.gap === "stop" ? "" : plainOf(speech, { first, end: first + aheadWords });
