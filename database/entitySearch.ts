import { z } from "zod";
import type { EntityGroup } from "../domain/evidence.ts";
import { type Conjunction, type DictionaryQuestion, maxPrefixWords } from "../domain/search/plan.ts";
import { commercialTerm, lengthTerm, typeTerm } from "../domain/search/terms.ts";
import { type Entity, entityColumns, entityFields, resolved, shapeEntity } from "./entities.ts";
import { type Queryable, sql } from "./pool.ts";

/** The words of names that the question is about. */
export async function readDictionary(db: Queryable, { keys, words, prefix }: DictionaryQuestion): Promise<string[]> {
  const ofPrefix =
    prefix === ""
      ? sql.fragment``
      : sql.fragment`union (select word from search_word where word >= ${prefix} and word < ${`${prefix}\u{10FFFF}`} order by word limit ${maxPrefixWords})`;
  return db.oneFirst(sql.type(z.object({ words: z.array(z.string()) }))`
    select coalesce(json_agg(word), '[]') as words from (
      select word from search_word where keys && ${sql.array([...keys], "int4")}
      union select word from search_word where word = any(${sql.array([...words], "text")})
      ${ofPrefix}
    ) as found`);
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
/** A folded name and the canonical entity that it leads to. */
export type Candidate = z.output<typeof candidateRow>;

/** Names that fit one of the conjunctions; an entity comes once for each of its names, or more often. */
export async function findCandidates(
  db: Queryable,
  conjunctions: readonly Conjunction[],
  filter: SearchFilter,
): Promise<Candidate[]> {
  if (conjunctions.length === 0) return [];
  const rows = conjunctions.map(({ groups, length, most, broad }) => {
    const bySize = groups.toSorted((a, b) => a.length - b.length).map((group) => `{${group.join(",")}}`);
    const least = bySize[0] ?? "{}";
    const term = (wanted: number | null) => (wanted === null ? least : `{${wanted}}`);
    return [
      ...[0, 1, 2, 3].map((place) => bySize[place] ?? least),
      term(length === null ? null : lengthTerm(length)),
      term(filter.group === null ? null : typeTerm(filter.group)),
      term(filter.hasRecommendations === null ? null : commercialTerm(filter.hasRecommendations)),
      most,
      broad,
    ];
  });
  const groups = ["text", "text", "text", "text", "text", "text", "text"] as const;
  return db.oneFirst(sql.type(z.object({ candidates: z.array(candidateRow) }))`
    select coalesce(json_agg(json_build_array(coalesce(canonical.id, supplied.id), coalesce(canonical.mention_count, supplied.mention_count),
      named_key, is_commercial)), '[]') as candidates
    from ${sql.unnest(rows, [...groups, "int4", "bool"])} as wanted (a, b, c, d, length, type, commercial, most, broad)
      cross join names_having(a::int4[], b::int4[], c::int4[], d::int4[], length::int4[], type::int4[], commercial::int4[], most, broad)
      join entity as supplied on supplied.id = named_id
      left join entity as canonical on canonical.id = supplied.canonical_id`);
}

const entityRow = entityFields.transform(shapeEntity);

/** The entities of these numbers, by number. */
export async function readEntities(db: Queryable, ids: readonly number[]): Promise<Map<number, Entity>> {
  if (ids.length === 0) return new Map();
  const entities = await db.any(sql.type(entityRow)`
    select ${entityColumns} from entity as supplied ${resolved} where supplied.id = any(${sql.array([...ids], "int8")})`);
  return new Map(entities.map((entity) => [entity.numericId, entity]));
}
