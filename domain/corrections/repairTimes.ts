import { shareSeconds } from "./carryWords.ts";
import type { Replacement } from "./types.ts";

interface Times {
  startSeconds: number;
  endSeconds: number;
}

/**
 * The times of replacements (decisions.md, "Timestamps after a rewrite"): inside the replaced range, both ends included, one after the other,
 * pinned ones kept and the rest shared out by the length of the texts. Null where the pins themselves are out of the range or of order.
 */
export function repairTimes(range: Times, replacements: readonly Replacement[]): Times[] | null {
  if (!arePinsInOrder(range, replacements)) return null;
  const starts = replacements.map(({ startSeconds }, n) =>
    n === 0 ? (startSeconds ?? range.startSeconds) : (startSeconds ?? replacements[n - 1]?.endSeconds ?? null),
  );
  const ends = replacements.map(({ endSeconds }, n) =>
    n === replacements.length - 1
      ? (endSeconds ?? range.endSeconds)
      : (endSeconds ?? replacements[n + 1]?.startSeconds ?? null),
  );
  const times: Times[] = [];
  for (let first = 0; first < replacements.length;) {
    const last = ends.findIndex((end, n) => n >= first && end !== null);
    const run = replacements.slice(first, last + 1);
    const stretch = { startSeconds: starts[first] ?? range.startSeconds, endSeconds: ends[last] ?? range.endSeconds };
    times.push(
      ...shareSeconds(
        stretch,
        run.map(({ text }) => text.length),
      ),
    );
    first = last + 1;
  }
  return times;
}

function arePinsInOrder(range: Times, replacements: readonly Replacement[]): boolean {
  let reached = range.startSeconds;
  for (const pin of replacements.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])) {
    if (pin === null) continue;
    if (pin < reached || pin > range.endSeconds) return false;
    reached = pin;
  }
  return true;
}
