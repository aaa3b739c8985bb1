import type { RecognisedSegment, RecognisedWord } from "./speech.ts";

const longestSegmentSeconds = 12;
const separatingPauseSeconds = 1;
const sentencePauseSeconds = 0.5;
const clausePauseSeconds = 0.6;

const sentenceEnd = /[.?!…。！？]["'”’)\]»]*$/u;
const clauseEnd = /[,;:、，；：–—]["'”’)\]»]*$/u;
const abbreviation = /^(?:mr|mrs|ms|dr|st|prof|jr|sr|vs|no|e\.g|i\.e|\p{Lu})\.$/iu;
const beginsLower = /^\P{L}*\p{Ll}/u;

/**
 * Groups recognised words into sentence-sized segments: a new one begins after the end of a sentence, a pause of a second or a comma with a pause, and
 * one longer than 12 s is divided at its best comma or pause. Each begins with its first word and ends with its last.
 * The words' texts carry the space before them, as recognisers give it, so that scripts without spaces join correctly.
 */
export function segmentsFromWords(words: readonly RecognisedWord[]): RecognisedSegment[] {
  const segments: RecognisedSegment[] = [];
  let open: RecognisedWord[] = [];
  for (const [index, word] of words.entries()) {
    open.push(word);
    const next = words[index + 1];
    if (next && !endsUtterance(word, next)) continue;
    segments.push(
      ...divideLong(open)
        .map(toSegment)
        .filter((segment) => segment.text !== ""),
    );
    open = [];
  }
  return segments;
}

function endsUtterance(word: RecognisedWord, next: RecognisedWord): boolean {
  const pauseSeconds = next.startSeconds - word.endSeconds;
  if (pauseSeconds >= separatingPauseSeconds) return true;
  const text = word.text.trim();
  if (pauseSeconds >= clausePauseSeconds && clauseEnd.test(text)) return true;
  if (!sentenceEnd.test(text) || abbreviation.test(text)) return false;
  return pauseSeconds >= sentencePauseSeconds || !beginsLower.test(next.text.trim());
}

function divideLong(words: RecognisedWord[]): RecognisedWord[][] {
  const first = words[0];
  const last = words.at(-1);
  if (!first || !last || words.length < 2) return [words];
  const lengthSeconds = last.endSeconds - first.startSeconds;
  if (lengthSeconds <= longestSegmentSeconds) return [words];
  let best = 1;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let index = 1; index < words.length; index += 1) {
    const before = words[index - 1];
    const after = words[index];
    if (!before || !after) continue;
    const offCentre = Math.abs((before.endSeconds - first.startSeconds) / lengthSeconds - 0.5);
    const score =
      Math.max(0, after.startSeconds - before.endSeconds) + (clauseEnd.test(before.text.trim()) ? 0.5 : 0) - offCentre;
    if (score > bestScore) [best, bestScore] = [index, score];
  }
  return [...divideLong(words.slice(0, best)), ...divideLong(words.slice(best))];
}

function toSegment(words: RecognisedWord[]): RecognisedSegment {
  const sum = words.reduce((total, word) => total + word.confidence, 0);
  return {
    text: words
      .map((word) => word.text)
      .join("")
      .trim(),
    startSeconds: roundTo(words[0]?.startSeconds ?? 0, 1000),
    endSeconds: roundTo(words.at(-1)?.endSeconds ?? 0, 1000),
    confidence: roundTo(sum / words.length, 1000),
    words: words
      .map((word) => ({
        text: word.text.trim(),
        startSeconds: roundTo(word.startSeconds, 1000),
        endSeconds: roundTo(word.endSeconds, 1000),
        confidence: roundTo(word.confidence, 1000),
      }))
      .filter((word) => word.text !== ""),
  };
}

function roundTo(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
