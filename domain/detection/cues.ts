import type { Speech, WordRange } from "./speech.ts";

/** A pattern over `Speech.plain`. In the source, a space also takes a pause, and the ends fall between words. */
export function cue(source: string): RegExp {
  // Numbers are figures in the text, and this one is the one that patterns spell.
  const pattern = source.replaceAll(/\bone\b/g, "(?:one|1)").replaceAll(" ", "(?: ,)? ");
  return new RegExp(`(?<= |^)(?:${pattern})(?= |$)`, "g");
}

/** Where a pattern is found, as words; `match` holds its groups. */
export interface CueHit extends WordRange {
  match: RegExpExecArray;
}

/** All places of a pattern, in order; within a range where one is given. */
export function findCues(speech: Speech, pattern: RegExp, range?: WordRange): CueHit[] {
  const text = range === undefined ? speech.plain : plainOf(speech, range);
  const offset = range === undefined ? 0 : (speech.plainStarts[range.first] ?? 0);
  return [...text.matchAll(pattern)].flatMap((match) => {
    const first = wordAt(speech, offset + match.index);
    const end = wordAt(speech, offset + match.index + match[0].length);
    return match[0] === "" ? [] : [{ first, end: Math.max(end, first + 1), match }];
  });
}

/** `Speech.plain` from one word up to another. */
export function plainOf(speech: Speech, { first, end }: WordRange): string {
  return speech.plain.slice(speech.plainStarts[first] ?? 0, speech.plainStarts[end] ?? speech.plain.length);
}

/** The first word that begins at or after a character of `Speech.plain`. */
function wordAt({ plainStarts }: Speech, character: number): number {
  let low = 0;
  let high = plainStarts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((plainStarts[middle] ?? 0) < character) low = middle + 1;
    else high = middle;
  }
  return low;
}
