import { z } from "zod";
import { foldName } from "../domain/names.ts";
import { nameTerms, wordKeys, wordsOf } from "../domain/search/terms.ts";
import { type Queryable, sql } from "./pool.ts";

export interface NamedEntity {
  entityId: number;
  name: string;
  aliases: readonly string[];
}

/**
 * Makes these the names that the entities are found by, in lookups and in search, in place of what they had. An alias that folds to the name
 * itself is not kept. One transaction.
 */
export async function saveNames(db: Queryable, entities: readonly NamedEntity[]): Promise<void> {
  if (entities.length === 0) return;
  const rows = entities.flatMap(rowsOf);
  const ids = entities.map(({ entityId }) => entityId);
  await db.transaction(async (transaction) => {
    await saveWords(transaction, new Set(rows.flatMap(([, key]) => wordsOf(key))));
    await transaction.query(sql.typeAlias("void")`select from lock_entities(${sql.array(ids, "int8")})`);
    await transaction.query(sql.typeAlias("void")`
      with wanted as (
        select * from ${sql.unnest(rows, ["int8", "text", "text", "bool", "text"])} as wanted (entity_id, key, name, is_alias, terms)
      ), gone as (
        delete from entity_name where entity_id = any(${sql.array(ids, "int8")})
          and not exists (select from wanted where wanted.entity_id = entity_name.entity_id and wanted.key = entity_name.key collate "C")
      )
      insert into entity_name (entity_id, key, name, is_alias, terms)
      select entity_id, key, wanted.name, is_alias, name_traits(
        coalesce(canonical.mention_count, entity.mention_count), coalesce(canonical.type, entity.type),
        has_recommendations(coalesce(canonical.id, entity.id))) || terms::int4[]
      from wanted join entity on entity.id = entity_id left join entity as canonical on canonical.id = entity.canonical_id
      on conflict (entity_id, key) do update set name = excluded.name, is_alias = excluded.is_alias
        where (entity_name.name, entity_name.is_alias) is distinct from (excluded.name, excluded.is_alias)`);
  });
}

function rowsOf({ entityId, name, aliases }: NamedEntity): [number, string, string, boolean, string][] {
  const byKey = new Map<string, [number, string, string, boolean, string]>();
  for (const [text, isAlias] of [[name, false] as const, ...aliases.map((alias) => [alias, true] as const)]) {
    const key = foldName(text);
    if (!byKey.has(key)) byKey.set(key, [entityId, key, text, isAlias, `{${nameTerms(key).join(",")}}`]);
  }
  return [...byKey.values()];
}

/** Adds what the dictionary lacks, in one order, so that two writers of the same words never wait for each other. Words are kept for good. */
async function saveWords(db: Queryable, words: ReadonlySet<string>): Promise<void> {
  const unknown = await db.anyFirst(sql.type(z.object({ word: z.string() }))`
    select asked as word from unnest(${sql.array([...words], "text")}) as asked
    where not exists (select from search_word where word = asked collate "C")`);
  if (unknown.length === 0) return;
  const rows = unknown.toSorted().map((word) => [word, `{${wordKeys(word).join(",")}}`]);
  await db.query(sql.typeAlias("void")`
    insert into search_word (word, keys)
    select word, keys::int4[] from ${sql.unnest(rows, ["text", "text"])} as added (word, keys)
    on conflict do nothing`);
}
