import type { AudioSpan } from "./media.ts";

/** Loudness of a recording: one level in dB below full scale (RMS without its constant part) for each `frameSeconds`. */
export interface LoudnessCurve {
  levels: Float32Array;
  frameSeconds: number;
}

/**
 * A frame below this level cannot hold speech that 16-bit audio could carry (RMS under two steps); room noise lies well above
 * it. Deliberately low: quiet speech is kept, only digital silence is dropped.
 */
export const silentLevel = -86;

/** Digital silence counts as a quiet room when pauses are told from speech, or the breath of a speaker would pass for speech. */
const quietestRoom = -66;
const paddingSeconds = 0.2;
const shortestPauseSeconds = 0.15;
const longestUsefulPauseSeconds = 0.8;
/** A cut is looked for in this last part of the longest span allowed. */
const searchedPart = 0.4;
/** How much pause, in seconds, a cut at the far end of the searched part is worth against one at its start. */
const lengthBonusSeconds = 0.3;

/**
 * Cuts a recording into spans no longer than `targetSeconds` and as near to it as its pauses allow. A cut lies in the middle of the
 * longest late pause, or at the quietest moment where there is none. Silence at the edges of a span is trimmed; spans are ordered,
 * never overlap, and hold every frame that is not silent. A recording of nothing but silence has none.
 */
export function spansBetweenSilences(curve: LoudnessCurve, targetSeconds: number): AudioSpan[] {
  const { levels, frameSeconds } = curve;
  const longest = Math.max(1, Math.floor(targetSeconds / frameSeconds));
  const padding = Math.min(Math.round(paddingSeconds / frameSeconds), Math.floor(longest / 4));
  const end = lastSounding(levels, levels.length) + 1;
  const spans: AudioSpan[] = [];
  let from = 0;
  for (;;) {
    const first = firstSounding(levels, from);
    if (first === levels.length) return spans;
    const start = Math.max(from, first - padding);
    const cut = end - start <= longest ? end : chooseCut(curve, start, longest);
    const stop = Math.min(
      lastSounding(levels, cut) + 1 + padding,
      start + longest,
      levels.length,
      end === cut ? levels.length : cut,
    );
    spans.push({ startSeconds: seconds(start, frameSeconds), endSeconds: seconds(stop, frameSeconds) });
    from = Math.max(cut, stop);
  }
}

/** Whole milliseconds, so that spans read well and compare exactly. */
function seconds(frame: number, frameSeconds: number): number {
  return Math.round(frame * frameSeconds * 1000) / 1000;
}

function firstSounding(levels: Float32Array, from: number): number {
  let frame = from;
  while (frame < levels.length && (levels[frame] ?? 0) < silentLevel) frame += 1;
  return frame;
}

function lastSounding(levels: Float32Array, before: number): number {
  let frame = before - 1;
  while (frame >= 0 && (levels[frame] ?? 0) < silentLevel) frame -= 1;
  return frame;
}

/** A run of quiet frames, `to` excluded. */
export interface Pause {
  from: number;
  to: number;
}

/** The frame at which a span that starts at `start` ends; at most `longest` frames on, and always later than `start`. */
function chooseCut(curve: LoudnessCurve, start: number, longest: number): number {
  const limit = start + longest;
  const searchFrom = start + Math.max(1, Math.floor(longest * (1 - searchedPart)));
  let best = -1;
  let bestScore = -1;
  for (const pause of pausesWithin(curve, start, limit)) {
    const middle = Math.round((pause.from + pause.to) / 2);
    if (middle < searchFrom || middle > limit) continue;
    const seconds = (pause.to - pause.from) * curve.frameSeconds;
    const lateness = (middle - searchFrom) / Math.max(1, limit - searchFrom);
    const score = Math.min(seconds, longestUsefulPauseSeconds) + lengthBonusSeconds * lateness;
    if (score > bestScore) [best, bestScore] = [middle, score];
  }
  return best > 0 ? best : quietestFrame(curve, searchFrom, limit);
}

/** Runs of frames that are quiet by the standard of their surroundings, so that a loud room and a silent studio both have pauses. */
export function pausesWithin({ levels, frameSeconds }: LoudnessCurve, from: number, to: number): Pause[] {
  const sorted = levels.slice(from, to).sort();
  const floor = Math.max(quietestRoom, sorted[Math.floor(sorted.length * 0.05)] ?? 0);
  const loud = sorted[Math.floor(sorted.length * 0.9)] ?? 0;
  const threshold = Math.max(silentLevel, floor + (loud - floor) * 0.3);
  const pauses: Pause[] = [];
  let begin = -1;
  for (let frame = from; frame <= to; frame += 1) {
    const quiet = frame < to && (levels[frame] ?? 0) < threshold;
    if (quiet && begin < 0) begin = frame;
    if (quiet || begin < 0) continue;
    if ((frame - begin) * frameSeconds >= shortestPauseSeconds) pauses.push({ from: begin, to: frame });
    begin = -1;
  }
  return pauses;
}

/** The middle of the quietest tenth of a second: a single quiet frame can be the closure of a consonant. */
function quietestFrame({ levels, frameSeconds }: LoudnessCurve, from: number, to: number): number {
  const reach = Math.round(0.05 / frameSeconds);
  let best = to;
  let lowest = Number.POSITIVE_INFINITY;
  for (let frame = from; frame <= to; frame += 1) {
    let sum = 0;
    let count = 0;
    for (let near = Math.max(0, frame - reach); near < Math.min(levels.length, frame + reach); near += 1) {
      sum += levels[near] ?? 0;
      count += 1;
    }
    const mean = count > 0 ? sum / count : 0;
    if (mean <= lowest) [best, lowest] = [frame, mean];
  }
  return best;
}
