import type { Entity } from "../../database/entities.ts";
import {
  findCandidates,
  listSearchReviews,
  readDictionary,
  readEntities,
  type SearchFilter,
} from "../../database/entitySearch.ts";
import { foldName } from "../../domain/names.ts";
import { dictionaryQuestion, distantQuestion, planLooseSearch, planSearch } from "../../domain/search/plan.ts";
import { byPosition, rankCandidates, rankReviewed, type SearchPosition } from "../../domain/search/rank.ts";
import { createScorer, goodScore } from "../../domain/search/score.ts";
import { wordsOf } from "../../domain/search/terms.ts";
import type { ServiceContext } from "../context.ts";

export interface SearchHit {
  entity: Entity;
  /** 0 to 1. */
  score: number;
  hasRecommendations: boolean;
}

export interface SearchPage {
  hits: readonly SearchHit[];
  /** Where the next page begins; null where there is none. */
  next: SearchPosition | null;
}

/**
 * Canonical entities whose names or aliases are like `text`, best first; equal scores by mentions. Only the best few hundred of a text that
 * fits more are found. What reviewers pinned for these very words counts as a full match, what they hid does not come. It reads the
 * database alone, so what has committed is found.
 */
export async function searchEntities(
  { pool }: ServiceContext,
  search: SearchFilter & { text: string; limit: number; after: SearchPosition | null },
): Promise<SearchPage> {
  const { limit, after } = search;
  const key = foldName(search.text);
  const words = wordsOf(key);
  const [known, reviews] = await Promise.all([
    readDictionary(pool, dictionaryQuestion(words)),
    listSearchReviews(pool, key, search),
  ]);
  const dictionary = new Set(known);
  const plan = planSearch(words, dictionary);
  const score = createScorer(plan.readings);
  const candidates = await findCandidates(pool, plan.conjunctions, search);
  let ranked: (SearchPosition & { hasRecommendations: boolean })[] = rankCandidates(candidates, score);
  if ((ranked[0]?.score ?? 0) < goodScore) {
    const question = distantQuestion(words);
    if (question.keys.length > 0) for (const word of await readDictionary(pool, question)) dictionary.add(word);
    const more = await findCandidates(pool, planLooseSearch(words, dictionary), search);
    ranked = rankCandidates([...candidates, ...more], score);
  }
  if (reviews.length > 0) ranked = rankReviewed(ranked, reviews);
  const rest = after === null ? ranked : ranked.filter((candidate) => byPosition(after, candidate) < 0);
  const page = rest.slice(0, limit);
  const entities = await readEntities(
    pool,
    page.map(({ entityId }) => entityId),
  );
  const last = page.at(-1);
  return {
    hits: page.flatMap(({ entityId, score, hasRecommendations }) => {
      const entity = entities.get(entityId);
      return entity === undefined ? [] : [{ entity, score, hasRecommendations }];
    }),
    next: rest.length > page.length && last !== undefined ? last : null,
  };
}
