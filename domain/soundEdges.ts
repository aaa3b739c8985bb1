import { pausesWithin, type LoudnessCurve } from "./silences.ts";
import type { RecognisedWord } from "./speech.ts";

/** Recognisers place the word beside a pause up to about this far from where it sounds. */
const reachSeconds = 0.6;

/**
 * Moves the words beside a pause to where the sound really begins and ends. Words and curve count from the same instant.
 * Order and texts stay; a word never becomes empty and never overlaps its neighbour more than before.
 */
export function alignWordsToSound<Word extends RecognisedWord>(words: readonly Word[], curve: LoudnessCurve): Word[] {
  const aligned = words.map((word) => Object.assign({}, word));
  let next = 0;
  for (const pause of pausesWithin(curve, 0, curve.levels.length)) {
    const from = pause.from * curve.frameSeconds;
    const to = pause.to * curve.frameSeconds;
    let after = aligned[next];
    while (after && middle(after) < (from + to) / 2) after = aligned[(next += 1)];
    const before = aligned[next - 1];
    if (before && before.startSeconds < from && isNear(before.endSeconds, from, before.endSeconds < from, to - from)) {
      before.endSeconds = Math.max(before.startSeconds, Math.min(from, after?.startSeconds ?? from));
    }
    if (after && after.endSeconds > to && isNear(after.startSeconds, to, after.startSeconds > to, to - from)) {
      after.startSeconds = Math.max(to, before?.endSeconds ?? to);
    }
  }
  return aligned;
}

/** An edge inside the pause is always wrong; one beyond it may belong to a sound in between. */
function isNear(wordEdge: number, pauseEdge: number, isBeyond: boolean, pauseSeconds: number): boolean {
  return Math.abs(wordEdge - pauseEdge) <= (isBeyond ? reachSeconds : pauseSeconds);
}

function middle(word: RecognisedWord): number {
  return (word.startSeconds + word.endSeconds) / 2;
}
