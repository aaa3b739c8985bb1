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
  const rows = await db.any(sql.prepared("entities_named", lookupRow)`
    select n, named_id, is_own_name, ${entityColumns}
    from entities_named(${sql.array(
      asks.map(({ key }) => key),
      "text",
    )}, ${sql.array(
      asks.map(({ group }) => group),
      "text",
    )}, ${most}) as named
      join entity on entity.id = named.entity_id left join entity as owner on owner.id = entity.owner_id
    order by n, entity.mention_count desc, entity.id`);
  const findings = Array.from(asks, (): NamedFinding[] => []);
  for (const { n, found } of rows) findings[n - 1]?.push(found);
  return findings;
}
