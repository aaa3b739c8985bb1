import { z } from "zod";
import { type EntityGroup, typesOfGroup } from "../domain/evidence.ts";
import { type Entity, entityColumns, entityFields, resolved, shapeEntity } from "./entities.ts";
import { type Queryable, type SqlFragment, sql } from "./pool.ts";

const memberRow = entityFields
  .extend({ supplied_id: z.bigint(), member_ids: z.array(z.string()) })
  .transform((row) => ({
    entity: shapeEntity(row),
    suppliedId: Number(row.supplied_id),
    memberIds: row.member_ids.map(Number),
  }));
/** A canonical entity, the id that it was found by, and all ids whose evidence is its own: itself and what was merged into it. */
export type EntityWithMembers = z.output<typeof memberRow>;

const memberIds = sql.fragment`array(
  select entity.id::text union all select member.id::text from entity as member where member.canonical_id = entity.id
)`;

export async function findEntityById(db: Queryable, id: number): Promise<EntityWithMembers | null> {
  return find(db, sql.fragment`from entity as supplied ${resolved} where supplied.id = ${id}`);
}

export async function findEntityBySlug(db: Queryable, slug: string): Promise<EntityWithMembers | null> {
  return find(db, sql.fragment`from entity as supplied ${resolved} where supplied.slug = ${slug}`);
}

/** The most-mentioned entity of that folded name or alias, of the group where one is given. */
export async function findEntityByName(
  db: Queryable,
  key: string,
  group: EntityGroup | null,
): Promise<EntityWithMembers | null> {
  const ofGroup =
    group === null
      ? sql.fragment``
      : sql.fragment`where entity.type = any(${sql.array([...typesOfGroup(group)], "text")})`;
  return find(
    db,
    sql.fragment`from (select distinct entity_id from entity_name where key = ${key}) as named
      join entity as supplied on supplied.id = named.entity_id ${resolved} ${ofGroup}
      order by entity.mention_count desc, entity.id limit 1`,
  );
}

/**
 * Entities some of whose folded names begin with `prefix`, of the group where one is given, the most-mentioned first. Of very common
 * prefixes only the first names are looked at.
 */
export async function listEntitiesByPrefix(
  db: Queryable,
  prefix: string,
  group: EntityGroup | null,
  limit: number,
): Promise<readonly Entity[]> {
  const ofGroup =
    group === null
      ? sql.fragment``
      : sql.fragment`and entity.type = any(${sql.array([...typesOfGroup(group)], "text")})`;
  return db.any(sql.type(entityFields.transform(shapeEntity))`
    with named as materialized (
      select entity_id from entity_name where key >= ${prefix} and key < ${`${prefix}\u{10ffff}`} order by key limit 500
    )
    select ${entityColumns} from entity left join entity as owner on owner.id = entity.owner_id
    where entity.id in (select coalesce(member.canonical_id, member.id) from named join entity as member on member.id = named.entity_id) ${ofGroup}
    order by entity.mention_count desc, entity.id limit ${limit}`);
}

function find(db: Queryable, from: SqlFragment): Promise<EntityWithMembers | null> {
  return db.maybeOne(
    sql.type(memberRow)`select ${entityColumns}, supplied.id as supplied_id, ${memberIds} as member_ids ${from}`,
  );
}
