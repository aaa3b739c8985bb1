import { type Alignment, align, unitsIn } from "../corrections/alignment.ts";
import type { Change, Correction } from "../corrections/types.ts";
import { commonnessOf, isCommon } from "../detection/commonWords.ts";
import { isSign, spokenWords } from "../spokenWords.ts";
import type { Wording } from "./sameWords.ts";

/** A name that a correction teaches: how an entity is called where it was not known to be. */
export interface TaughtWording extends Wording {
  entityId: number;
}

/** A place of the corrected text that is known to name an entity. */
export interface NamedWords {
  entityId: number;
  segmentId: string;
  charStart: number;
  charEnd: number;
}

const mostWords = 6;
const mostCharacters = 80;
/** Of scripts that are written without spaces. */
const signsPerWord = 3;
const possessive = /['’ʼ`]s$/i;

/**
 * What a correction teaches of names: of words that took the place of others, those that name an entity now, with what stood there; and words
 * that people say name one. `named`: what the corrected segments are known to name. Nothing is learnt from words that only came or went, from
 * a name of which only case, punctuation or spaces changed, and from words without a meaning of their own (pronouns, articles).
 */
export function wordingsTaught(correction: Correction, change: Change, named: readonly NamedWords[]): TaughtWording[] {
  switch (correction.kind) {
    case "line_edit":
    case "segment_rewrite":
      return distinct(replacedNames(change, named));
    case "entity_tag":
      return correction.tag.action === "add" ? taggedName(change, correction.tag) : [];
    case "speaker_reassign":
    case "speaker_identify":
    case "add_person":
      return [];
  }
}

/** Whether the words are one of these names, however it is cut into words. */
export function isNameAlready(words: string, names: readonly string[]): boolean {
  return names.some((name) => lettersOf(name) === lettersOf(words));
}

/** Whether who hears the words may think of their meaning before a name: all of them are ordinary words of English. */
export function areCommonWords(words: string): boolean {
  return spokenWords(words).every(({ word }) => isCommon(word));
}

function* replacedNames(change: Change, named: readonly NamedWords[]): Generator<TaughtWording> {
  if (change.before.length === 0 || named.length === 0) return;
  const texts = change.after.map(({ text }) => text);
  const alignment = align(change.before, texts, change.pairs);
  for (const { entityId, segmentId, charStart, charEnd } of named) {
    const part = change.after.findIndex(({ id }) => id === segmentId);
    const { first, end } = unitsIn(alignment.newUnits, { part, start: charStart, end: charEnd });
    const wrong = replacedBy(alignment, first, end);
    if (wrong === null) continue;
    const text = texts[part] ?? "";
    const right = bare(text.slice(alignment.newUnits[first]?.start, alignment.newUnits[end - 1]?.end));
    // A name within a longer word tells nothing of the rest of it.
    if (right !== bare(text.slice(charStart, charEnd))) continue;
    const [wrongWords, rightWords] = [wrong.replace(possessive, ""), right.replace(possessive, "")];
    if (possessive.test(wrong) !== possessive.test(right)) continue;
    if (isLearnable(wrongWords) && hasWords(rightWords) && lettersOf(wrongWords) !== lettersOf(rightWords))
      yield { entityId, wrongWords, rightWords };
  }
}

/** What stood where the new units `[first, end)` are, if all that is new of them took the place of something, and nothing beside them did. */
function replacedBy({ before, units, newUnits, backward }: Alignment, first: number, end: number): string | null {
  const startOfOld = (n: number) => (n === 0 ? 0 : (backward[n - 1] ?? Number.NaN) + 1);
  const endOfOld = (n: number) => (n === newUnits.length ? units.length : (backward[n] ?? Number.NaN));
  let isChanged = false;
  for (let n = first; n < end; n += 1) {
    if (backward[n] !== null) continue;
    const from = n;
    while (n < end && backward[n] === null) n += 1;
    if (!(endOfOld(n) > startOfOld(from))) return null;
    isChanged = true;
  }
  if (!isChanged) return null;
  const oldFirst = units[backward[first] ?? startOfOld(first)];
  const oldLast = units[backward[end - 1] ?? endOfOld(end) - 1];
  if (oldFirst === undefined || oldLast === undefined || oldFirst.part !== oldLast.part) return null;
  return bare((before[oldFirst.part]?.text ?? "").slice(oldFirst.start, oldLast.end));
}

function taggedName({ after }: Change, tag: { entityId: number; charStart: number; charEnd: number }): TaughtWording[] {
  const text = after[0]?.text ?? "";
  const words = bare(text.slice(tag.charStart, tag.charEnd)).replace(possessive, "");
  const cutsWord = spokenWords(text).some(({ charStart, charEnd }) =>
    [tag.charStart, tag.charEnd].some(
      (at) => charStart < at && at < charEnd && !possessive.test(text.slice(at - 2, charEnd)),
    ),
  );
  return !cutsWord && isLearnable(words) ? [{ entityId: tag.entityId, wrongWords: words, rightWords: null }] : [];
}

/** Words that are found again by what they say: those that end with a sign are not. */
function isLearnable(words: string): boolean {
  const hasMeaning = spokenWords(words).some(
    ({ word }) => commonnessOf(word) !== "function" && !/^\p{N}+$/u.test(word),
  );
  return hasMeaning && hasWords(words) && /[\p{L}\p{N}\p{M}]$/u.test(words);
}

function hasWords(words: string): boolean {
  const spoken = spokenWords(words);
  const signs = spoken.filter(({ word }) => isSign(word)).length;
  const count = spoken.length - signs + Math.ceil(signs / signsPerWord);
  return count > 0 && count <= mostWords && words.length <= mostCharacters;
}

/** Without the punctuation around it; signs that names end with ("C++", "C#") stay. */
function bare(text: string): string {
  return text.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}\p{S}#]+$/gu, "");
}

function lettersOf(text: string): string {
  return spokenWords(text)
    .map(({ word }) => word)
    .join("");
}

function distinct(taught: Iterable<TaughtWording>): TaughtWording[] {
  return [...new Map([...taught].map((one) => [`${one.entityId} ${one.wrongWords} ${one.rightWords}`, one])).values()];
}
