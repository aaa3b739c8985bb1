import { z } from "zod";
import type { EntityGroup } from "../domain/evidence.ts";
import { type Conjunction, type DictionaryQuestion, maxPrefixWords } from "../domain/search/plan.ts";
import { withoutCircles } from "../domain/search/rank.ts";
import { commercialTerm, lengthTerm, typeTerm } from "../domain/search/terms.ts";
import { type Entity, entityColumns, entityFields, shapeEntity } from "./entities.ts";
import { count, type Queryable, sql } from "./pool.ts";

const dictionaryRow = z.object({ words: z.array(z.string()) });

/** The words of names that the question is about. */
export async function readDictionary(db: Queryable, { keys, words, prefix }: DictionaryQuestion): Promise<string[]> {
  return db.oneFirst(sql.type(dictionaryRow)`
    select coalesce(json_agg(word), '[]') as words
    from words_like(${sql.array([...keys], "int4")}, ${sql.array([...words], "text")}, ${prefix}, ${maxPrefixWords}) as word`);
}

/** What a search is narrowed to; null: all. */
export interface SearchFilter {
  group: EntityGroup | null;
  hasRecommendations: boolean | null;
}

const candidateRow = z
  .tuple([z.int(), z.int(), z.string(), z.boolean()])
  .transform(([entityId, mentionCount, key, hasRecommendations]) => ({
    entityId,
    mentionCount,
    key,
    hasRecommendations,
  }));
const candidatesRow = z.object({ candidates: z.array(candidateRow) });
/** A folded name and the canonical entity that it leads to. */
export type Candidate = z.output<typeof candidateRow>;

/** Names that fit one of the conjunctions; an entity comes once for each of its names, or more often. */
export async function findCandidates(
  db: Queryable,
  conjunctions: readonly Conjunction[],
  filter: SearchFilter,
): Promise<Candidate[]> {
  if (conjunctions.length === 0) return [];
  // The smallest group first, as arrays of their own, since Postgres has none of arrays of several lengths.
  const sorted = conjunctions.map(({ groups }) => groups.toSorted((a, b) => a.length - b.length));
  const place = (index: number) =>
    sql.array(
      sorted.map((groups) => groups[index]).map((group) => (group === undefined ? null : `{${group.join(",")}}`)),
      "text",
    );
  const [lengths, most, enough, broad] = [
    conjunctions.map(({ length }) => (length === null ? null : lengthTerm(length))),
    conjunctions.map(({ most }) => most),
    conjunctions.map(({ enough }) => enough),
    conjunctions.map(({ broad }) => broad),
  ];
  return db.oneFirst(sql.type(candidatesRow)`
    select coalesce(json_agg(json_build_array(entity_id, mention_count, key, is_commercial)), '[]') as candidates
    from names_having(${place(0)}, ${place(1)}, ${place(2)}, ${place(3)}, ${sql.array(lengths, "int4")}, ${sql.array(most, "int4")},
      ${sql.array(enough, "int4")}, ${sql.array(broad, "bool")}, ${filter.group === null ? null : typeTerm(filter.group)},
      ${filter.hasRecommendations === null ? null : commercialTerm(filter.hasRecommendations)})`);
}

const entityRow = entityFields.transform(shapeEntity);

/** The entities of these numbers, none of which was merged away when it was found, by number. */
export async function readEntities(db: Queryable, ids: readonly number[]): Promise<Map<number, Entity>> {
  if (ids.length === 0) return new Map();
  const entities = await db.any(sql.prepared("entities_by_id", entityRow)`
    select ${entityColumns} from entity left join entity as owner on owner.id = entity.owner_id
    where entity.id = any(${sql.array([...ids], "int8")})`);
  return new Map(entities.map((entity) => [entity.numericId, entity]));
}

const reviewRow = z
  .object({
    entity_id: count,
    mention_count: count,
    is_commercial: z.boolean(),
    is_in_group: z.boolean(),
    is_pinned: z.boolean(),
    duplicate_of_id: count.nullable(),
  })
  .transform((row) => ({
    entityId: row.entity_id,
    mentionCount: row.mention_count,
    hasRecommendations: row.is_commercial,
    isInGroup: row.is_in_group,
    isPinned: row.is_pinned,
    duplicateOfId: row.duplicate_of_id,
  }));
/** An entity that reviewers want first, or not at all, among the results of a search. */
export type SearchReview = z.output<typeof reviewRow>;

/**
 * What reviewers said of the results for exactly this folded text that is in force: entities that the filter lets through. What was said of
 * a duplicate falls with the merge that makes the two one.
 */
export async function listSearchReviews(
  db: Queryable,
  key: string,
  { group, hasRecommendations }: SearchFilter,
): Promise<readonly SearchReview[]> {
  const reviews = await db.any(sql.prepared("search_reviews", reviewRow)`
    select entity.id as entity_id, entity.mention_count, has_recommendations(entity.id) as is_commercial,
      group_of_type(entity.type) = coalesce(${group}, group_of_type(entity.type)) as is_in_group,
      coalesce(bool_or(said.verdict = 'pinned'), false) as is_pinned,
      max(coalesce(original.canonical_id, original.id)) filter (where named.id = entity.id) as duplicate_of_id
    from search_review as said join entity as named on named.id = said.entity_id
      join entity on entity.id = coalesce(named.canonical_id, named.id)
      left join entity as original on original.id = said.duplicate_of_id and said.verdict = 'hidden'
    where said.key = ${key}
    group by entity.id
    having bool_or(said.verdict = 'pinned')
      or bool_or(named.id = entity.id and entity.id is distinct from coalesce(original.canonical_id, original.id))`);
  return withoutCircles(reviews).filter(
    (review) => review.isInGroup && (hasRecommendations === null || review.hasRecommendations === hasRecommendations),
  );
}
