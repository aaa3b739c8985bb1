import { diffArrays } from "diff";
import type { Pairs, Segment } from "./types.ts";

/** Characters `[start, end)` of text number `part` of several. */
export interface Span {
  part: number;
  start: number;
  end: number;
}

/** A word of one of several texts, or a sign of a script that writes without spaces. */
interface Unit extends Span {
  norm: string;
}

const spaceless = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const unitPattern = new RegExp(`[${spaceless}]|[^\\s${spaceless}]+`, "gu");
/** What differs by more than so many words is taken to be written anew. */
const mostChangedUnits = 2000;

/** How the words of new texts go on from those of the segments that they replace. */
export interface Alignment {
  before: readonly Segment[];
  texts: readonly string[];
  units: readonly Unit[];
  newUnits: readonly Unit[];
  /** For each unit the number of the new unit that it goes on in. */
  forward: Pairs;
  /** For each new unit the number of the unit that it goes on from. */
  backward: readonly (number | null)[];
}

/**
 * Finds the words that stay (`pairWords`), whatever their case and the punctuation around them. `pairs`: of `wordsToPair`, where they have
 * been found before.
 */
export function align(before: readonly Segment[], texts: readonly string[], pairs: Pairs | null = null): Alignment {
  const units = unitsOf(before.map(({ text }) => text));
  const newUnits = unitsOf(texts);
  const forward = pairs ?? pairWords({ before: units.map(normOf), after: newUnits.map(normOf) });
  const backward: (number | null)[] = newUnits.map(() => null);
  for (const [from, to] of forward.entries()) if (to !== null) backward[to] = from;
  return { before, texts, units, newUnits, forward, backward };
}

/** The words of a text and of what takes its place, as they are compared. */
export interface WordsToPair {
  before: readonly string[];
  after: readonly string[];
}

/** The words of texts, as they are compared. */
export function wordsToPair(texts: readonly string[]): string[] {
  return unitsOf(texts).map(normOf);
}

/** How many words are neither in what both texts begin with nor in what both end with: the cost of `pairWords` grows with its square. */
export function countBetween(words: WordsToPair): number {
  const { head, tail } = commonEnds(words);
  return words.before.length + words.after.length - 2 * (head + tail);
}

/** The words that stay: a longest common sequence of words (Myers 1986). */
export function pairWords(words: WordsToPair): Pairs {
  const { before, after } = words;
  const forward: (number | null)[] = before.map(() => null);
  const { head, tail } = commonEnds(words);
  for (let n = 0; n < head; n += 1) forward[n] = n;
  for (let n = 1; n <= tail; n += 1) forward[before.length - n] = after.length - n;
  const middle = (all: readonly string[]) => all.slice(head, all.length - tail);
  let [from, to] = [head, head];
  for (const run of diffArrays(middle(before), middle(after), { maxEditLength: mostChangedUnits }) ?? []) {
    for (let n = 0; n < run.value.length; n += 1) {
      if (!run.added && !run.removed) forward[from] = to;
      if (!run.added) from += 1;
      if (!run.removed) to += 1;
    }
  }
  return forward;
}

function commonEnds({ before, after }: WordsToPair): { head: number; tail: number } {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - tail - 1] === after[after.length - tail - 1]) tail += 1;
  return { head, tail };
}

function normOf({ norm }: Unit): string {
  return norm;
}

function unitsOf(texts: readonly string[]): Unit[] {
  return texts.flatMap((text, part) =>
    [...text.matchAll(unitPattern)].map(({ 0: written, index }) => {
      const bare = written.toLowerCase().replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
      return { part, start: index, end: index + written.length, norm: bare === "" ? written : bare };
    }),
  );
}

/** Numbers `[first, end)` of the units that share characters with a span. */
export function unitsIn(units: readonly Unit[], { part, start, end }: Span): { first: number; end: number } {
  const isBefore = (one: Unit, offset: number) => one.part < part || (one.part === part && one.end <= offset);
  let [low, high] = [0, units.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = units[middle];
    if (one !== undefined && isBefore(one, start)) low = middle + 1;
    else high = middle;
  }
  let last = low;
  for (let one = units[last]; one?.part === part && one.start < end; one = units[last]) last += 1;
  return { first: low, end: last };
}

/**
 * Where characters of a replaced segment stand in the new texts, if all their words go on there, in a row and in one text: the very
 * characters where they are written as before, but for their case, else their words with the signs around them.
 */
export function carry(alignment: Alignment, span: Span): { span: Span; isWrittenAlike: boolean } | null {
  const { units, newUnits, forward } = alignment;
  const { first, end } = unitsIn(units, span);
  const to = forward[first];
  if (end === first || to === null || to === undefined) return null;
  for (let n = first; n < end; n += 1) if (forward[n] !== to + n - first) return null;
  const [newFirst, newLast] = [newUnits[to], newUnits[to + end - first - 1]];
  if (newFirst === undefined || newLast?.part !== newFirst.part) return null;
  const { part } = newFirst;
  const surface = lowered((alignment.before[span.part]?.text ?? "").slice(span.start, span.end));
  const slice = lowered((alignment.texts[part] ?? "").slice(newFirst.start, newLast.end));
  const offset = span.start - (units[first]?.start ?? 0);
  const at = slice.startsWith(surface, offset) ? offset : slice.indexOf(surface);
  if (at < 0) return { span: { part, start: newFirst.start, end: newLast.end }, isWrittenAlike: false };
  const start = newFirst.start + at;
  return { span: { part, start, end: start + surface.length }, isWrittenAlike: true };
}

/** In small letters, where that leaves every character at its place. */
function lowered(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text;
}
