import { type Alignment, carry, type Span, unitsIn } from "./alignment.ts";
import type { TimedWord } from "./types.ts";

interface Times {
  startSeconds: number;
  endSeconds: number;
  confidence: number;
}

/** A word of a new text; without times where a person wrote it. */
interface PlacedWord extends Span {
  times: Times | null;
}

interface Stretch {
  startSeconds: number;
  endSeconds: number;
}

/**
 * The words of the new texts, whose `times` are given, with their own: words that go on keep theirs, whatever the times of the text that
 * they are in now, and what was written between them shares out the time there by its length. Words whose times the engine did not tell
 * still have none.
 */
export function carryWords(alignment: Alignment, times: readonly Stretch[]): (readonly TimedWord[])[] {
  const { texts, newUnits, backward } = alignment;
  const { kept, timedUnits } = keptWords(alignment);
  const keptUnits = new Set(kept.flatMap((word) => numbersIn(unitsIn(newUnits, word))));
  const written = newUnits.filter((_, n) => {
    const from = backward[n] ?? null;
    return timedUnits.size > 0 && !keptUnits.has(n) && (from === null || timedUnits.has(from));
  });
  const placed: PlacedWord[] = [...kept, ...written.map(({ part, start, end }) => ({ part, start, end, times: null }))];
  placed.sort((a, b) => a.part - b.part || a.start - b.start);
  const words: TimedWord[][] = texts.map(() => []);
  for (const [part, own] of Map.groupBy(placed, (word) => word.part)) {
    const stretch = times[part];
    if (stretch === undefined) continue;
    words[part] = withAllTimes(own, stretch).map(({ start, end, times: { startSeconds, endSeconds, confidence } }) => [
      texts[part]?.slice(start, end) ?? "",
      startSeconds,
      endSeconds,
      confidence,
    ]);
  }
  return words;
}

function keptWords(alignment: Alignment): { kept: PlacedWord[]; timedUnits: Set<number> } {
  const kept: PlacedWord[] = [];
  const timedUnits = new Set<number>();
  for (const [part, segment] of alignment.before.entries()) {
    let at = 0;
    for (const [text, startSeconds, endSeconds, confidence] of segment.words) {
      const start = segment.text.indexOf(text, at);
      if (start < 0) continue;
      at = start + text.length;
      for (const n of numbersIn(unitsIn(alignment.units, { part, start, end: at }))) timedUnits.add(n);
      const place = carry(alignment, { part, start, end: at })?.span;
      const last = kept.at(-1);
      // Of two words within one that is written in another way now, the first stands for both; and words of segments whose times were
      // shared out may not follow each other in time.
      const follows =
        last === undefined ||
        last.part !== place?.part ||
        (last.end <= place.start && (last.times?.endSeconds ?? 0) <= startSeconds);
      if (place !== undefined && follows) kept.push({ ...place, times: { startSeconds, endSeconds, confidence } });
    }
  }
  return { kept, timedUnits };
}

function numbersIn({ first, end }: { first: number; end: number }): number[] {
  return Array.from({ length: end - first }, (_, n) => first + n);
}

function withAllTimes(words: readonly PlacedWord[], stretch: Stretch): (Span & { times: Times })[] {
  const timed: (Span & { times: Times })[] = [];
  for (let n = 0; n < words.length;) {
    const word = words[n];
    if (word === undefined) break;
    if (word.times !== null) {
      timed.push({ ...word, times: word.times });
      n += 1;
      continue;
    }
    let next = n + 1;
    while (words[next]?.times === null) next += 1;
    const run = words.slice(n, next);
    const following = words[next]?.times?.startSeconds;
    const startSeconds =
      timed.at(-1)?.times.endSeconds ?? Math.min(stretch.startSeconds, following ?? stretch.startSeconds);
    const endSeconds = Math.max(startSeconds, following ?? stretch.endSeconds);
    const lengths = run.map(({ start, end }) => end - start);
    const times = shareSeconds({ startSeconds, endSeconds }, lengths);
    for (const [place, one] of run.entries())
      timed.push({ ...one, times: { ...(times[place] ?? { startSeconds, endSeconds }), confidence: 1 } });
    n += run.length;
  }
  return timed;
}

/** Parts a stretch of time by lengths of text: contiguous, to the millisecond, never beyond it. A text without length counts as one character. */
export function shareSeconds({ startSeconds, endSeconds }: Stretch, lengths: readonly number[]): Stretch[] {
  const weights = lengths.map((length) => Math.max(1, length));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let read = 0;
  let from = startSeconds;
  return weights.map((weight, n) => {
    read += weight;
    const exact = startSeconds + ((endSeconds - startSeconds) * read) / total;
    const rounded = Math.round(exact * 1000) / 1000;
    const until = n === weights.length - 1 ? endSeconds : Math.min(endSeconds, Math.max(from, rounded));
    const part = { startSeconds: from, endSeconds: until };
    from = until;
    return part;
  });
}
