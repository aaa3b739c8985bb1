import { shareSeconds } from "./carryWords.ts";
import type { Replacement } from "./types.ts";

interface Times {
  startSeconds: number;
  endSeconds: number;
}

/**
 * The times of replacements (decisions.md, "Timestamps after a rewrite"): inside the replaced range, both ends included, one after the other,
 * pinned ones kept and the rest shared out by the length of the texts. No pin may be out of place (`misplacedPin`).
 */
export function repairTimes(range: Times, replacements: readonly Replacement[]): Times[] {
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

/** The first pinned time that is out of the range, or before one that goes before it; null where there is none. */
export function misplacedPin(
  range: Times,
  replacements: readonly Replacement[],
): { replacement: number; pin: "start" | "end" } | null {
  let reached = range.startSeconds;
  for (const [replacement, { startSeconds, endSeconds }] of replacements.entries()) {
    for (const [pin, seconds] of [["start", startSeconds] as const, ["end", endSeconds] as const]) {
      if (seconds === null) continue;
      if (seconds < reached || seconds > range.endSeconds) return { replacement, pin };
      reached = seconds;
    }
  }
  return null;
}
