import { foldName } from "../domain/names.ts";
import { type Queryable, sql } from "./pool.ts";

export interface NamedEntity {
  entityId: number;
  name: string;
  aliases: readonly string[];
}

/** Makes these the names that the entities are found by, in place of what they had. An alias that folds to the name itself is not kept. */
export async function saveNames(db: Queryable, entities: readonly NamedEntity[]): Promise<void> {
  const rows = entities.flatMap(({ entityId, name, aliases }) => {
    const byKey = new Map<string, [number, string, string, boolean]>();
    for (const [text, isAlias] of [[name, false] as const, ...aliases.map((alias) => [alias, true] as const)]) {
      const key = foldName(text);
      if (!byKey.has(key)) byKey.set(key, [entityId, key, text, isAlias]);
    }
    return [...byKey.values()];
  });
  await db.query(sql.typeAlias("void")`
    with wanted as (
      select * from ${sql.unnest(rows, ["int8", "text", "text", "bool"])} as wanted (entity_id, key, name, is_alias)
    ), gone as (
      delete from entity_name where entity_id = any(${sql.array(
        entities.map(({ entityId }) => entityId),
        "int8",
      )})
        and not exists (select from wanted where wanted.entity_id = entity_name.entity_id and wanted.key = entity_name.key collate "C")
    )
    insert into entity_name (entity_id, key, name, is_alias) select * from wanted
    on conflict (entity_id, key) do update set name = excluded.name, is_alias = excluded.is_alias
      where (entity_name.name, entity_name.is_alias) is distinct from (excluded.name, excluded.is_alias)`);
}
