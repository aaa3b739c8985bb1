import { overlapInText, type TextPlace } from "./textPlace.ts";

/** Where a piece of evidence stands in its video; pieces of one `group` (entity and kind) can be the same piece. */
export interface EvidencePlace {
  group: string;
  startSeconds: number;
  endSeconds: number;
  /** Where its words are in a transcript; null where that is not known. */
  words: TextPlace | null;
}

/** How far a better engine may move a piece that is still the same. */
const toleranceSeconds = 3;

/**
 * Which of the `before` each of the `after` is, so that it keeps its id: within a group first those of the same words, then those at the very
 * same place in time, then in the order of time the nearest that overlap or start within three seconds. Returns the index into `before` for each of `after`, null for what
 * is new; no index is given twice.
 */
export function matchKept(before: readonly EvidencePlace[], after: readonly EvidencePlace[]): (number | null)[] {
  const free = new Map<string, Set<number>>();
  for (const [index, { group }] of before.entries()) {
    const known = free.get(group);
    if (known === undefined) free.set(group, new Set([index]));
    else known.add(index);
  }
  const kept = after.map((): number | null => null);
  const take = (position: number, choose: (candidates: Set<number>) => number | null) => {
    const candidates = free.get(after[position]?.group ?? "");
    if (candidates === undefined || kept[position] !== null) return;
    const chosen = choose(candidates);
    if (chosen === null) return;
    candidates.delete(chosen);
    kept[position] = chosen;
  };
  const inTime = after
    .map((piece, position) => ({ piece, position }))
    .toSorted((a, b) => a.piece.startSeconds - b.piece.startSeconds || a.position - b.position);
  for (const { piece, position } of inTime)
    take(position, (candidates) => {
      for (const index of candidates) if (isSameWords(before[index], piece)) return index;
      return null;
    });
  for (const { piece, position } of inTime)
    take(position, (candidates) => {
      for (const index of candidates) if (isSamePlace(before[index], piece)) return index;
      return null;
    });
  for (const { piece, position } of inTime)
    take(position, (candidates) => {
      let nearest: number | null = null;
      let leastSeconds = Infinity;
      for (const index of candidates) {
        const distance = distanceSeconds(before[index], piece);
        if (distance < leastSeconds) [nearest, leastSeconds] = [index, distance];
      }
      return nearest;
    });
  return kept;
}

function isSameWords(a: EvidencePlace | undefined, b: EvidencePlace): boolean {
  return a !== undefined && a.words !== null && b.words !== null && overlapInText(a.words, b.words);
}

function isSamePlace(a: EvidencePlace | undefined, b: EvidencePlace): boolean {
  return a?.startSeconds === b.startSeconds && a.endSeconds === b.endSeconds;
}

function distanceSeconds(a: EvidencePlace | undefined, b: EvidencePlace): number {
  if (a === undefined) return Infinity;
  const apart = Math.abs(a.startSeconds - b.startSeconds);
  const overlap = a.startSeconds < b.endSeconds && b.startSeconds < a.endSeconds;
  return overlap || apart <= toleranceSeconds ? apart : Infinity;
}
