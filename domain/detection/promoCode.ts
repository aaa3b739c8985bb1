import { commonnessOf } from "./commonWords.ts";
import { cue, findCues, plainOf } from "./cues.ts";
import type { Speech, SpokenWord, WordRange } from "./speech.ts";

/** A code to buy with; `[first, end)` are all words that tell it. */
export interface PromoCode extends WordRange {
  code: string;
}

const lead =
  "(?: for (?:you|my|our)(?: guys| all| folks| listeners| viewers)?)?(?: word| name| again)?(?: is| its| thats| was)?(?: all one word| all caps| in all caps)?";
const namedCode = cue(`(?:promo|promotional|promotion|offer|discount|coupon|referral|voucher|checkout) ?codes?${lead}`);
const usedCode = cue(
  `(?:use|using|with|enter|apply|applying|entering|type in|my|our|your|the|a|special|thats) (?:my |our |the |special |secret )?codes?${lead}`,
);
const bareCode = cue(`code${lead}`);
const atCheckout = cue(
  "(?:enter|use|using|entering|put in|punch in|plug in|type in|type|apply|mention) ([a-z0-9]+(?: \\d+)?) (?:at checkout|when you check out|at the checkout|in the promo box)",
);
const putIn = cue("(?:enter|put in|punch in|plug in|type in|type|drop in)");
const spelled = cue("(?:(?:again )?thats|spelled|(?<= ,)) ((?:[a-z0-9] ){2,11}[a-z0-9]+)");
const commerce =
  /percent off|dollars off|bucks off|\d off|checkout|discount|free (?:\w+ ){0,3}(?:trial|month|shipping|meals|gift|bottle|sample)|off (?:your|any|the|all|an|orders)|half (?:off|price)|save |sponsor|supported by|check out|dot com/;
const contextWords = 30;
const longestCodeWords = 3;
// What a sentence goes on with after a code.
const following = new Set(
  (
    "at for to when and on in if gets gives saves terms works applies will can they these those where only a an you youll that thats get plus or with as again by is off before during now the dot right super your we its all so then from will gives into of one " +
    "checkout percent dollars promo code use just because this my our until while today i im it word any"
  ).split(" "),
);
// "source code", "dress code" and their like are no codes to buy with; neither is what "code" goes on with as a verb or noun of its own.
const otherSenses = new Set(
  "review base reviews culture red blue name names named of breaker switching needed necessary required below above here there please works expires on in".split(
    " ",
  ),
);

/** The promotional codes that are told in the speech, as they would be typed in: "save twenty" → SAVE20, "s a v e two zero" → SAVE20. */
export function promoCodes(speech: Speech): PromoCode[] {
  const found: PromoCode[] = [];
  const note = (first: number, value: { code: string; end: number } | null) => {
    if (value !== null && !found.some((known) => known.end === value.end)) found.push({ first, ...value });
  };
  for (const hit of findCues(speech, namedCode)) note(hit.first, readCode(speech, hit.end, true));
  for (const hit of findCues(speech, usedCode)) {
    if (isCommerce(speech, hit))
      note(hit.first, readCode(speech, hit.end, /^(?:use|using|enter|apply|with)/.test(hit.match[0])));
  }
  for (const hit of findCues(speech, bareCode))
    if (isCommerce(speech, hit)) note(hit.first, readCode(speech, hit.end, false));
  for (const hit of findCues(speech, atCheckout)) {
    const value = hit.match[1]?.replace(" ", "") ?? "";
    if (!isPlainWord(value)) note(hit.first, { code: value.toUpperCase(), end: hit.end });
  }
  for (const hit of findCues(speech, putIn)) {
    const value = isCommerce(speech, hit) ? readCode(speech, hit.end, true) : null;
    if (value !== null && !isPlainWord(value.code.toLowerCase()) && !/^\d+$/.test(value.code)) note(hit.first, value);
  }
  return withSpelling(
    speech,
    found.sort((a, b) => a.first - b.first),
  );
}

const isPlainWord = (value: string) => value === "code" || commonnessOf(value) === "function";

function isCommerce(speech: Speech, { first, end }: WordRange): boolean {
  const before = speech.words[first - 1]?.norm;
  if (before !== undefined && ["zip", "source", "dress", "area", "tax", "morse"].includes(before)) return false;
  return commerce.test(
    plainOf(speech, {
      first: Math.max(0, first - contextWords),
      end: Math.min(speech.words.length, end + contextWords),
    }),
  );
}

/** Reads the code that begins at a word; `isExpected` where what comes before leaves little doubt that one follows. */
function readCode(speech: Speech, from: number, isExpected: boolean): { code: string; end: number } | null {
  const first = speech.words[from];
  if (first === undefined || first.gap === "stop" || otherSenses.has(first.norm)) return null;
  const isWritten =
    (speech.hasCapitals && first.capitals === "inner") || (/\d/.test(first.norm) && /[a-z]/.test(first.norm));
  if (isWritten) return withFigures(speech, from);
  if (first.norm.length === 1) return readSpelled(speech, from);
  if (following.has(first.norm) || (commonnessOf(first.norm) === "function" && first.capitals === "none")) return null;
  if (speech.hasCapitals && first.capitals === "none" && !isExpected) return null;
  return readWords(speech, from);
}

/** A code in capitals, with figures that were put apart from it ("SAVE 20"). */
function withFigures(speech: Speech, from: number): { code: string; end: number } {
  const word = speech.words[from];
  const next = speech.words[from + 1];
  const code = (word?.norm ?? "").toUpperCase();
  const takesNext = next !== undefined && /^\d+$/.test(next.norm) && next.gap === "none" && !isSum(speech, from + 1);
  return takesNext ? { code: code + next.norm, end: from + 2 } : { code, end: from + 1 };
}

function isSum(speech: Speech, index: number): boolean {
  const word = speech.words[index];
  if (word === undefined) return false;
  const after = speech.segments[word.segment]?.text[word.end];
  return (
    /[$€£]/.test(word.before) ||
    after === "%" ||
    ["percent", "dollars", "bucks", "off"].includes(speech.words[index + 1]?.norm ?? "")
  );
}

function readSpelled(speech: Speech, from: number): { code: string; end: number } | null {
  let code = "";
  let end = from;
  for (let word = speech.words[end]; word !== undefined && isSign(word); word = speech.words[end]) {
    if (end > from && (word.gap === "stop" || isSum(speech, end))) break;
    code += word.norm;
    end += 1;
  }
  return code.length < 2 ? null : { code: code.toUpperCase(), end };
}

const isSign = (word: SpokenWord) => word.norm.length === 1 || /^\d+$/.test(word.norm);

function readWords(speech: Speech, from: number): { code: string; end: number } | null {
  const parts: string[] = [];
  let end = from;
  for (let word = speech.words[end]; word !== undefined; word = speech.words[end]) {
    const isFigure = /^\d+$/.test(word.norm);
    if (end > from) {
      if (word.gap !== "none" || (following.has(word.norm) && !isFigure) || isSum(speech, end)) break;
      if (word.segment !== speech.words[end - 1]?.segment && !isFigure) break;
    }
    parts.push(word.norm);
    end += 1;
  }
  const words = parts.filter((part) => !/^\d+$/.test(part)).length;
  // Many words with no end in sight are a sentence, of which the first is the code at most.
  if (words > longestCodeWords) return { code: (parts[0] ?? "").toUpperCase(), end: from + 1 };
  return { code: parts.join("").toUpperCase(), end };
}

/** Where a code is spelled out after it is said, the spelling is right. */
function withSpelling(speech: Speech, codes: PromoCode[]): PromoCode[] {
  const spellings = findCues(speech, spelled);
  return codes.map((code) => {
    const hit = spellings.find(({ first }) => first >= code.end - 1 && first <= code.end + 6);
    const letters = hit?.match[1]?.replaceAll(/[ ,]/g, "").toUpperCase();
    if (hit === undefined || letters === undefined || letters[0] !== code.code[0]) return code;
    const spelling = readSpelled(speech, hit.end - letterCount(hit.match[1] ?? ""));
    return spelling === null || spelling.code.length < code.code.length - 2
      ? code
      : { ...code, code: spelling.code, end: spelling.end };
  });
}

function letterCount(letters: string): number {
  return letters.split(" ").filter((letter) => letter !== "" && letter !== ",").length;
}
