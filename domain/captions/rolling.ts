import type { CueWord, WordedCue } from "./cues.ts";

/** Cues that follow each other within this time show one rolling text. */
const adjacentSeconds = 0.5;
/** A cue this short only moves the lines up. */
const shiftSeconds = 0.05;
/** People repeat a line now and then; a rolling text does it all the time. */
const rollingShare = 0.25;

/**
 * Undoes roll-up captions, as automatic captions have them: each cue shows the last lines again before it adds its own, or shows a line
 * again while it grows. What was shown before is taken out, so that every word stands once, at its own time. Tracks that do not roll are
 * returned as they are, lines that people repeat included.
 */
export function unrollCues(cues: readonly WordedCue[]): WordedCue[] {
  const repeats = cues.map((cue, index) => repeatedWords(cues[index - 1], cue));
  const rolls = cues.filter((cue, index) => {
    const repeated = repeats[index] ?? 0;
    return repeated > 0 && (cue.lines.flat().length > repeated || cue.endSeconds - cue.startSeconds <= shiftSeconds);
  }).length;
  if (rolls === 0 || rolls < rollingShare * (cues.length - 1)) return [...cues];
  return cues.flatMap((cue, index) => {
    const lines = withoutFirst(cue.lines, repeats[index] ?? 0);
    return lines.length > 0 ? [{ ...cue, lines }] : [];
  });
}

/** How many words at the beginning of a cue are the last lines of the cue before it. */
function repeatedWords(before: WordedCue | undefined, cue: WordedCue): number {
  if (before === undefined || cue.startSeconds - before.endSeconds > adjacentSeconds) return 0;
  const words = cue.lines.flat();
  for (let first = 0; first < before.lines.length; first += 1) {
    const shown = before.lines.slice(first).flat();
    if (shown.length <= words.length && shown.every((word, index) => word.text === words[index]?.text))
      return shown.length;
  }
  return 0;
}

function withoutFirst(lines: readonly CueWord[][], count: number): CueWord[][] {
  let toDrop = count;
  return lines.flatMap((line) => {
    const kept = line.slice(toDrop);
    toDrop -= line.length - kept.length;
    return kept.length > 0 ? [kept] : [];
  });
}
