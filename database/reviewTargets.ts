import { z } from "zod";
import { entityTypes } from "../domain/entities.ts";
import { count, type Queryable, sql } from "./pool.ts";

const entityRow = z
  .object({ id: count, type: z.enum(entityTypes) })
  .transform((row) => ({ entityId: row.id, type: row.type }));
/** An entity that feedback names, with the type of its canonical one. */
export type NamedEntityType = z.output<typeof entityRow>;

/** Which of the entities exist, merged or not. */
export async function findTargetEntities(
  db: Queryable,
  entityIds: readonly number[],
): Promise<readonly NamedEntityType[]> {
  if (entityIds.length === 0) return [];
  return db.any(sql.type(entityRow)`
    select entity.id, coalesce(canonical.type, entity.type) as type
    from entity left join entity as canonical on canonical.id = entity.canonical_id
    where entity.id = any(${sql.array([...entityIds], "int8")})`);
}

const nameRow = z
  .object({ id: count, name: z.string(), type: z.enum(entityTypes), canonical_id: count.nullable() })
  .transform((row) => ({ entityId: row.id, name: row.name, type: row.type, canonicalId: row.canonical_id }));
/** What an entity is called; `canonicalId` is null where it was not merged away. */
export type EntityName = z.output<typeof nameRow>;

/** What entities are called, merged or not; those that do not exist are left out. */
export async function listEntityNames(db: Queryable, entityIds: readonly number[]): Promise<readonly EntityName[]> {
  if (entityIds.length === 0) return [];
  return db.any(sql.type(nameRow)`
    select id, name, type, canonical_id from entity where id = any(${sql.array([...entityIds], "int8")})`);
}

const mentionRow = z
  .object({ id: count, is_appearance: z.boolean() })
  .transform((row) => ({ mentionId: row.id, isAppearance: row.is_appearance }));

/** Which of the mentions exist, and whether they are appearances. */
export async function findTargetMentions(
  db: Queryable,
  mentionIds: readonly number[],
): Promise<readonly { mentionId: number; isAppearance: boolean }[]> {
  if (mentionIds.length === 0) return [];
  return db.any(sql.type(mentionRow)`
    select id, is_appearance from mention where id = any(${sql.array([...mentionIds], "int8")})`);
}

/** Which of the commercial rows exist. */
export async function findTargetRecommendations(
  db: Queryable,
  recommendationIds: readonly number[],
): Promise<readonly number[]> {
  if (recommendationIds.length === 0) return [];
  return db.anyFirst(sql.type(z.object({ id: count }))`
    select id from recommendation where id = any(${sql.array([...recommendationIds], "int8")})`);
}

const idRow = z.object({ id: z.string() });

/** Which of the alerts fired for the account. */
export async function findTargetAlerts(
  db: Queryable,
  accountId: string,
  alertIds: readonly string[],
): Promise<readonly string[]> {
  if (alertIds.length === 0) return [];
  return db.anyFirst(sql.type(idRow)`
    select id from alert_occurrence where account_id = ${accountId} and id = any(${sql.array([...alertIds], "text")})`);
}

/** Which of the videos can carry evidence: those on a channel. */
export async function findTargetVideos(db: Queryable, videoIds: readonly string[]): Promise<readonly string[]> {
  if (videoIds.length === 0) return [];
  return db.anyFirst(sql.type(idRow)`
    select id from video where channel_id is not null and id = any(${sql.array([...videoIds], "text")})`);
}
