import { z } from "zod";
import type { EntityRow } from "../../domain/imports/rows.ts";
import { foldName } from "../../domain/names.ts";
import { count, sql, type Transaction } from "../pool.ts";
import { stagedRows } from "./staged.ts";

/** Lets one transaction at a time decide which entity a row means and which addresses are free. Held to its end. */
export async function lockIdentities(transaction: Transaction): Promise<void> {
  await transaction.query(sql.typeAlias("void")`select from pg_advisory_xact_lock(7429)`);
}

const foundRow = z
  .object({
    n: z.bigint(),
    entity_id: count.nullable(),
    slug_holder_id: count.nullable(),
    platform_holder_id: count.nullable(),
    owner_known: z.boolean(),
  })
  .transform((row) => ({
    index: Number(row.n) - 1,
    entityId: row.entity_id,
    slugHolderId: row.slug_holder_id,
    platformHolderId: row.platform_holder_id,
    ownerKnown: row.owner_known,
  }));
/** What is there of what a row names: the entity that it means, and who else has its address or its place on the platform. */
export type FoundEntity = z.output<typeof foundRow>;

const columns = sql.fragment`numeric_id int8, name text, type text, slug text collate "C", platform text, platform_id text collate "C", url text,
  image_url text, description text, owner int8, known_advertiser bool`;

/**
 * The entity that each row means: that of its number; without one, of its place on the platform; without that, of its slug; without any
 * of them, the one of its folded name and its type, or, where there is none, the one that had these before corrections that are in force.
 */
export async function findMeant(transaction: Transaction, rows: readonly EntityRow[]): Promise<readonly FoundEntity[]> {
  const keyed = rows.map((row) => ({ ...row, key: foldName(row.name) }));
  return transaction.any(sql.type(foundRow)`
    select staged.ordinality as n, slug_holder.id as slug_holder_id, platform_holder.id as platform_holder_id,
      staged.owner is null or exists (select from entity where id = staged.owner) as owner_known,
      case when staged.numeric_id is not null then (select id from entity where id = staged.numeric_id)
        when staged.platform_id is not null then platform_holder.id
        when staged.slug is not null then slug_holder.id
        else coalesce((
          select entity.id from entity_name join entity on entity.id = entity_name.entity_id
          where entity_name.key = staged.key and not entity_name.is_alias and entity.type = staged.type
          order by entity.canonical_id is not null, entity.id limit 1
        ), (
          select entity.id from (
            select entity_id from entity_name where entity_name.key = staged.key and not entity_name.is_alias
            union select (named.row_key ->> 'entity_id')::int8 from review_row as named
              where named.table_name = 'entity_name' and named.reverted_at is null and named.row_key ->> 'key' = staged.key
                and named.before ->> 'is_alias' = 'false'
          ) as known join entity on entity.id = known.entity_id
          where entity.type = staged.type or exists (
            select from review_row as typed where typed.table_name = 'entity' and typed.reverted_at is null
              and typed.row_key = jsonb_build_object('id', entity.id) and typed.before ->> 'type' = staged.type
          )
          order by entity.canonical_id is not null, entity.id limit 1
        )) end as entity_id
    from ${stagedRows(keyed, sql.fragment`${columns}, key text collate "C"`)}
      left join entity as slug_holder on slug_holder.slug = staged.slug
      left join lateral (
        select id from entity where entity.platform_id = staged.platform_id
          and (entity.platform = staged.platform or entity.platform is null or staged.platform is null
            or (entity.type = 'channel' and staged.type = 'channel'))
        order by entity.canonical_id is not null, entity.id limit 1
      ) as platform_holder on true
    order by staged.ordinality`);
}

/** Adds entities and returns their numbers, in their order; every row has an address that is free. Numbers drawn later are above those given. */
export async function insertEntities(
  transaction: Transaction,
  rows: readonly (EntityRow & { slug: string })[],
): Promise<number[]> {
  await transaction.query(sql.typeAlias("void")`
    select from (
      select max(numeric_id) as highest from ${stagedRows(rows, columns)} having max(numeric_id) > (select last_value from entity_id_seq)
    ) as given, setval('entity_id_seq', given.highest)`);
  const inserted = await transaction.any(sql.type(z.object({ id: count, slug: z.string() }))`
    insert into entity (id, name, type, slug, platform, platform_id, url, image_url, description, owner_id, known_advertiser)
    select coalesce(numeric_id, nextval('entity_id_seq')), name, type, slug, platform, platform_id, url, image_url, description, owner,
      coalesce(known_advertiser, false)
    from ${stagedRows(rows, columns)} order by ordinality
    returning id, slug`);
  const idOfSlug = new Map(inserted.map(({ id, slug }) => [slug, id]));
  return rows.map(({ slug }) => idOfSlug.get(slug) ?? 0);
}

/** What becomes of an entity that is there; null or left out: it stays. */
export type EntityChange = Partial<{ [Column in keyof EntityRow]: EntityRow[Column] | null }> & { id: number };

/** Changes entities to what the rows say; what a row leaves out stays. Returns the numbers of those that differed. */
export async function updateEntities(
  transaction: Transaction,
  rows: readonly EntityChange[],
): Promise<readonly number[]> {
  const kept = sql.fragment`coalesce(staged.name, entity.name), coalesce(staged.type, entity.type), coalesce(staged.slug, entity.slug), coalesce(staged.platform, entity.platform),
    coalesce(staged.platform_id, entity.platform_id), coalesce(staged.url, entity.url), coalesce(staged.image_url, entity.image_url),
    coalesce(staged.description, entity.description), coalesce(staged.owner, entity.owner_id),
    coalesce(staged.known_advertiser, entity.known_advertiser)`;
  const kinds = sql.fragment`name, type, slug, platform, platform_id, url, image_url, description, owner_id, known_advertiser`;
  return transaction.anyFirst(sql.type(z.object({ id: count }))`
    update entity set (${kinds}) = row(${kept})
    from ${stagedRows(rows, sql.fragment`id int8, ${columns}`)}
    where entity.id = staged.id
      and (entity.name, entity.type, entity.slug, entity.platform, entity.platform_id, entity.url, entity.image_url, entity.description,
          entity.owner_id, entity.known_advertiser)
        is distinct from (${kept})
    returning entity.id`);
}

/** Which of the addresses are taken. */
export async function takenSlugs(transaction: Transaction, slugs: readonly string[]): Promise<ReadonlySet<string>> {
  const taken = await transaction.anyFirst(sql.type(z.object({ slug: z.string() }))`
    select slug from entity where slug = any(${sql.array([...slugs], "text")})`);
  return new Set(taken);
}

/** The names and aliases that the entities are found by, as written. */
export async function readNames(
  transaction: Transaction,
  entityIds: readonly number[],
): Promise<ReadonlyMap<number, { name: string; aliases: readonly string[] }>> {
  const rows = await transaction.any(sql.type(
    z.object({ entity_id: count, name: z.string().nullable(), aliases: z.array(z.string()) }),
  )`
    select entity_id, min(name) filter (where not is_alias) as name, coalesce(array_agg(name order by key) filter (where is_alias), '{}') as aliases
    from entity_name where entity_id = any(${sql.array([...entityIds], "int8")}) group by entity_id`);
  return new Map(rows.map(({ entity_id, name, aliases }) => [entity_id, { name: name ?? "", aliases }]));
}

const correctedRow = z.object({
  entity_id: count,
  changed: z.string().nullable(),
  value: z.string().nullable(),
  key: z.string().nullable(),
});

/** What corrections in force have put right of an entity. */
export interface Corrected {
  /** Columns, and what they are now, as text. */
  columns: ReadonlyMap<string, string | null>;
  /** Names, by their key, that were given, changed or taken away. */
  nameKeys: ReadonlySet<string>;
}

/** Of the entities, and of these names of theirs (by key), what corrections in force have put right; a settled image is its address. */
export async function listCorrected(
  transaction: Transaction,
  entities: readonly { id: number; nameKeys: Iterable<string> }[],
): Promise<ReadonlyMap<number, Corrected>> {
  const ids = entities.map(({ id }) => id);
  const names = entities.flatMap(({ id, nameKeys }) => [...nameKeys].map((key) => [id, key]));
  const rows = await transaction.any(sql.type(correctedRow)`
    select entity.id as entity_id, said.changed, to_jsonb(entity) ->> said.changed as value, null as key
    from unnest(${sql.array(ids, "int8")}) as asked (id)
      join review_row as told on told.table_name = 'entity' and told.reverted_at is null and told.row_key = jsonb_build_object('id', asked.id)
      join entity on entity.id = asked.id
      cross join lateral (
        select case name when 'image_settled' then 'image_url' else name end from jsonb_object_keys(told.after) as name
      ) as said (changed)
    union all
    select asked.id, null, null, asked.key
    from ${sql.unnest(names, ["int8", "text"])} as asked (id, key)
      join review_row as told on told.table_name = 'entity_name' and told.reverted_at is null
        and told.row_key = jsonb_build_object('entity_id', asked.id, 'key', asked.key)`);
  return new Map(
    [...Map.groupBy(rows, ({ entity_id }) => entity_id)].map(([id, said]) => [
      id,
      {
        columns: new Map(said.flatMap(({ changed, value }) => (changed === null ? [] : [[changed, value] as const]))),
        nameKeys: new Set(said.flatMap(({ key }) => key ?? [])),
      },
    ]),
  );
}
