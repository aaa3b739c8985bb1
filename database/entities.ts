import { z } from "zod";
import { entityTypes } from "../domain/entities.ts";
import { typesOfGroup } from "../domain/evidence.ts";
import type { RowAllowance } from "../domain/rowPool.ts";
import { brandProfileColumns, brandProfileFields, type CommercialTotals, shapeBrandProfile } from "./brandProfiles.ts";
import { chargeFor } from "./metering.ts";
import { count, type Queryable, sql, timestamp } from "./pool.ts";

export const entityFields = z.object({
  id: count,
  name: z.string(),
  type: z.enum(entityTypes),
  slug: z.string(),
  platform: z.string().nullable(),
  url: z.string().nullable(),
  image_url: z.string().nullable(),
  image_checked_at: timestamp.nullable(),
  description: z.string().nullable(),
  owner_id: count.nullable(),
  mention_count: count,
  appearance_count: count,
});
export const shapeEntity = (row: z.output<typeof entityFields>) => ({
  numericId: row.id,
  name: row.name,
  type: row.type,
  slug: row.slug,
  platform: row.platform,
  url: row.url,
  imageUrl: row.image_url,
  imageCheckedAt: row.image_checked_at,
  description: row.description,
  ownerId: row.owner_id,
  mentionCount: row.mention_count,
  appearanceCount: row.appearance_count,
});
/** An entity that was not merged away; its owner likewise. */
export type Entity = ReturnType<typeof shapeEntity>;
const entityRow = entityFields.transform(shapeEntity);
/** Entities of these types have brand profiles (specification, "Recommendations summary"). */
const brandTypes = [...typesOfGroup("organization"), ...typesOfGroup("product")];
const boughtRow = entityFields
  .extend({ n: z.number(), paid: z.boolean() })
  .transform((row) => ({ n: row.n, paid: row.paid, entity: shapeEntity(row) }));

const readRow = entityFields.extend({ n: z.number(), paid: z.boolean(), ...brandProfileFields }).transform((row) => ({
  n: row.n,
  paid: row.paid,
  entity: shapeEntity(row),
  brandProfile: shapeBrandProfile(row),
}));

/** Of `entity`, and of its `owner` as `resolved` joins it. */
export const entityColumns = sql.fragment`entity.id, entity.name, entity.type, entity.slug, entity.platform, entity.url, entity.image_url,
  entity.image_checked_at, entity.description, coalesce(owner.canonical_id, owner.id) as owner_id, entity.mention_count, entity.appearance_count`;
/** `supplied` resolved to the entity at the end of its chain of merges, in one step. */
export const resolved = sql.fragment`
  join entity on entity.id = coalesce(supplied.canonical_id, supplied.id)
  left join entity as owner on owner.id = entity.owner_id`;

/** Who pays for a read, with what, and how it is named in the ledger. `rows`: price of each entity. */
export interface EntityPurchase {
  accountId: string;
  /** First day of the UTC month, `YYYY-MM-01`. */
  period: string;
  allowance: RowAllowance;
  rows: number;
  requestId: string;
}

export interface EntityAsk extends EntityPurchase {
  entityId: number;
  /** Of organizations and products, together with their brand profile. */
  withBrandProfile: boolean;
}

export type BoughtEntity =
  | { kind: "not_found" }
  | { kind: "insufficient_rows" }
  | { kind: "paid"; entity: Entity; brandProfile: CommercialTotals | null };

/** Reads an entity for each ask and debits its price, all in one statement: what is answered `paid` has been debited, and nothing else has. */
export async function buyEntities(db: Queryable, asks: readonly EntityAsk[]): Promise<BoughtEntity[]> {
  const asked = asks.map((ask, n) => [
    n,
    ask.entityId,
    ask.accountId,
    ask.period,
    ask.allowance.poolRows,
    ask.allowance.onDemandLimitRows,
    ask.rows,
    ask.requestId,
    ask.withBrandProfile,
  ]);
  const found = await db.any(sql.type(readRow)`
    with asked as (
      select * from ${sql.unnest(asked, ["int4", "int8", "text", "date", "int8", "int8", "int8", "text", "bool"])}
        as asked (n, entity_id, account_id, period, pool_rows, on_demand_limit_rows, rows, request_id, with_profile)
    ), found as materialized (
      select n, ${entityColumns}, ${brandProfileColumns}
      from asked join entity as supplied on supplied.id = asked.entity_id ${resolved}
      left join brand_profile on asked.with_profile and brand_profile.entity_id = entity.id
        and entity.type = any(${sql.array([...brandTypes], "text")})
    ), priced as (
      select asked.* from asked join found using (n)
    ), ${chargeFor("entity read")}
    select found.*, paid.n is not null as paid from found left join paid using (n)`);
  const bought = Array.from(asks, (): BoughtEntity => ({ kind: "not_found" }));
  for (const { n, paid, ...read } of found)
    bought[n] = paid ? { kind: "paid", ...read } : { kind: "insufficient_rows" };
  return bought;
}

/** Reads the entities of the ids that resolve, in their order, and debits all of them or, when they cannot all be paid, none: null. */
export async function buyCards(
  db: Queryable,
  purchase: EntityPurchase,
  ids: readonly number[],
): Promise<Entity[] | null> {
  const found = await db.any(sql.type(boughtRow)`
    with ${foundCards(ids)}, priced as (
      select 1 as n, ${purchase.accountId} as account_id, ${purchase.period}::date as period, ${purchase.allowance.poolRows}::int8 as pool_rows,
        ${purchase.allowance.onDemandLimitRows}::int8 as on_demand_limit_rows, count(*) * ${purchase.rows}::int8 as rows,
        ${purchase.requestId} as request_id
      from found having count(*) > 0
    ), ${chargeFor("entity cards")}
    select found.*, exists (select from paid) as paid from found order by n`);
  return found.every(({ paid }) => paid) ? found.map(({ entity }) => entity) : null;
}

/** Reads an entity without charging, for quotes. */
export async function readEntity(db: Queryable, id: number): Promise<Entity | null> {
  return db.maybeOne(sql.type(entityRow)`
    select ${entityColumns} from entity as supplied ${resolved} where supplied.id = ${id}`);
}

/** How many of the ids resolve, for quotes; an id given twice counts twice. */
export async function countEntities(db: Queryable, ids: readonly number[]): Promise<number> {
  return db.oneFirst(sql.type(z.object({ count }))`with ${foundCards(ids)} select count(*) from found`);
}

function foundCards(ids: readonly number[]) {
  return sql.fragment`found as materialized (
    select asked.n::int4, ${entityColumns}
    from unnest(${sql.array([...ids], "int8")}) with ordinality as asked (entity_id, n) join entity as supplied on supplied.id = asked.entity_id
      ${resolved}
  )`;
}

export interface NewEntity {
  name: string;
  type: Entity["type"];
  slug: string;
  numericId?: number;
  platform?: string;
  platformId?: string;
  url?: string;
  imageUrl?: string;
  description?: string;
  ownerId?: number;
}

/** Adds an entity; returns its number. */
export async function insertEntity(db: Queryable, entity: NewEntity): Promise<number> {
  const id = entity.numericId === undefined ? sql.fragment`default` : sql.fragment`${entity.numericId}`;
  return db.oneFirst(sql.type(z.object({ id: count }))`
    insert into entity (id, name, type, slug, platform, platform_id, url, image_url, description, owner_id)
    values (${id}, ${entity.name}, ${entity.type}, ${entity.slug}, ${entity.platform ?? null}, ${entity.platformId ?? null},
      ${entity.url ?? null}, ${entity.imageUrl ?? null}, ${entity.description ?? null}, ${entity.ownerId ?? null})
    returning id`);
}

const curationRow = z
  .object({ platform_id: z.string().nullable(), known_advertiser: z.boolean(), aliases: z.array(z.string()) })
  .transform((row) => ({ platformId: row.platform_id, knownAdvertiser: row.known_advertiser, aliases: row.aliases }));
/** What only operators see of an entity; `aliases` in alphabetical order. */
export type EntityCuration = z.output<typeof curationRow>;

/** What only operators see of the entity with exactly this number. */
export async function readCuration(db: Queryable, id: number): Promise<EntityCuration> {
  return db.one(sql.type(curationRow)`
    select platform_id, known_advertiser, array(select name from entity_name where entity_id = id and is_alias order by key) as aliases
    from entity where id = ${id}`);
}
