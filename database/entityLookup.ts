import { z } from "zod";
import type { EntityGroup } from "../domain/evidence.ts";
import { type Entity, entityColumns, entityFields, shapeEntity } from "./entities.ts";
import { count, type Queryable, sql } from "./pool.ts";

const lookupRow = entityFields
  .extend({ n: z.number(), named_id: count, is_own_name: z.boolean() })
  .transform((row) => ({
    n: row.n,
    found: { entity: shapeEntity(row), namedId: row.named_id, isOwnName: row.is_own_name },
  }));

/** A canonical entity that a name leads to. `namedId`: whose name it is, the entity's own where it has it; `isOwnName`: it is no alias. */
export interface NamedFinding {
  entity: Entity;
  namedId: number;
  isOwnName: boolean;
}

/** For each folded name, and group where one is given, the most-mentioned entities that have it as a name or an alias, `most` at most. */
export async function findByNames(
  db: Queryable,
  asks: readonly { key: string; group: EntityGroup | null }[],
  most: number,
): Promise<NamedFinding[][]> {
  const rows = await db.any(sql.type(lookupRow)`
    select n, named_id, is_own_name, ${entityColumns}
    from ${sql.unnest(
      asks.map(({ key, group }, n) => [n, key, group]),
      ["int4", "text", "text"],
    )} as asked (n, key, entity_group)
      cross join lateral (
        select canonical.id, canonical.mention_count, bool_or(named.entity_id = canonical.id and not is_alias) as is_own_name,
          coalesce(min(named.entity_id) filter (where named.entity_id = canonical.id), min(named.entity_id)) as named_id
        from entity_name as named join entity as supplied on supplied.id = named.entity_id
          join entity as canonical on canonical.id = coalesce(supplied.canonical_id, supplied.id)
        where named.key = asked.key collate "C" and (asked.entity_group is null
          or asked.entity_group = case when canonical.type in ('company', 'brand') then 'organization' else canonical.type end)
        group by canonical.id
        order by canonical.mention_count desc, canonical.id limit ${most}
      ) as found
      join entity on entity.id = found.id left join entity as owner on owner.id = entity.owner_id
    order by n, found.mention_count desc, found.id`);
  const findings = Array.from(asks, (): NamedFinding[] => []);
  for (const { n, found } of rows) findings[n]?.push(found);
  return findings;
}
