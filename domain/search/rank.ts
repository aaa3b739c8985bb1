import { minScore } from "./score.ts";

/** Where a search result stands: best score first, then most mentions, then lowest number. */
export interface SearchPosition {
  score: number;
  mentionCount: number;
  entityId: number;
}

/** Candidates with their scores in the order of results, each entity once, by the best of its names. Too low scores are left out. */
export function rankCandidates<C extends { entityId: number; mentionCount: number; key: string }>(
  candidates: readonly C[],
  score: (key: string) => number,
): (C & SearchPosition)[] {
  const best = new Map<number, C & SearchPosition>();
  for (const candidate of candidates) {
    const scored = { ...candidate, score: score(candidate.key) };
    const known = best.get(candidate.entityId);
    if (scored.score >= minScore && (known === undefined || known.score < scored.score))
      best.set(candidate.entityId, scored);
  }
  return [...best.values()].toSorted(byPosition);
}

/** What a reviewer said of an entity among the results of a search. */
interface ReviewedResult {
  entityId: number;
  mentionCount: number;
  hasRecommendations: boolean;
  /** true: it counts as a full match; false: it is no result. */
  isPinned: boolean;
}

/**
 * What reviewers said of results without what leaves out two for each other, as merges can make it: of those all come. `duplicateOfId`: what
 * it is a duplicate of, null where that is not known.
 */
export function withoutCircles<R extends { entityId: number; isPinned: boolean; duplicateOfId: number | null }>(
  reviews: readonly R[],
): R[] {
  const leftOut = new Map(reviews.filter(({ isPinned }) => !isPinned).map((review) => [review.entityId, review]));
  return reviews.filter((review) => {
    const seen = new Set<number>();
    for (let at = leftOut.get(review.entityId); at !== undefined; at = leftOut.get(at.duplicateOfId ?? 0)) {
      if (seen.has(at.entityId)) return false;
      seen.add(at.entityId);
    }
    return true;
  });
}

/** Results as reviewers want them, in their order. */
export function rankReviewed(
  ranked: readonly (SearchPosition & { hasRecommendations: boolean })[],
  reviews: readonly ReviewedResult[],
): (SearchPosition & { hasRecommendations: boolean })[] {
  const reviewed = new Set(reviews.map(({ entityId }) => entityId));
  const pinned = reviews
    .filter(({ isPinned }) => isPinned)
    .map(({ entityId, mentionCount, hasRecommendations }) => ({
      entityId,
      mentionCount,
      hasRecommendations,
      score: 1,
    }));
  return [...ranked.filter(({ entityId }) => !reviewed.has(entityId)), ...pinned].toSorted(byPosition);
}

/** Negative where `a` comes before `b`. */
export function byPosition(a: SearchPosition, b: SearchPosition): number {
  return b.score - a.score || b.mentionCount - a.mentionCount || a.entityId - b.entityId;
}
