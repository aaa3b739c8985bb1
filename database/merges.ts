import { z } from "zod";
import { count, sql, type Transaction } from "./pool.ts";

/** Lets one merge at a time decide where chains end. Held to the end of the transaction. */
export async function lockMerges(transaction: Transaction): Promise<void> {
  await transaction.query(sql.typeAlias("void")`select from pg_advisory_xact_lock(7427)`);
}

const memberIdsRow = z.object({ id: count });

/** The entity and all that reads as it, locked with `alsoId` against changes of their counts; rows that refer to them can still be added. */
export async function lockMembers(
  transaction: Transaction,
  canonicalId: number,
  alsoId: number,
): Promise<readonly number[]> {
  await transaction.query(sql.typeAlias("void")`
    select from entity where id in (${canonicalId}, ${alsoId}) or canonical_id = ${canonicalId} order by id for no key update`);
  return transaction.anyFirst(sql.type(memberIdsRow)`
    select id from entity where id = ${canonicalId} or canonical_id = ${canonicalId} order by id`);
}

/** What reads as the members', for all of which the canonical entity counts mentions: mentions and commercial rows. */
export async function countEvidence(
  transaction: Transaction,
  canonicalId: number,
  memberIds: readonly number[],
): Promise<number> {
  return transaction.oneFirst(sql.type(z.object({ count }))`
    select mention_count + (select count(*) from recommendation where entity_id = any(${sql.array([...memberIds], "int8")})) as count
    from entity where id = ${canonicalId}`);
}

/**
 * Writes that a canonical entity was merged into `parentId`, which reads as `canonicalId`: whatever had been merged into it resolves to that
 * at once, so that chains of any length stay one step long. Its counts move along. The caller has locked its members.
 */
export async function mergeEntity(
  transaction: Transaction,
  from: { entityId: number; memberIds: readonly number[] },
  into: { parentId: number; canonicalId: number },
): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    update entity set mention_count = entity.mention_count + merged.mention_count, appearance_count = entity.appearance_count + merged.appearance_count
    from entity as merged where entity.id = ${into.canonicalId} and merged.id = ${from.entityId}`);
  await transaction.query(sql.typeAlias("void")`
    update entity set canonical_id = ${into.canonicalId},
      merged_into_id = case when id = ${from.entityId} then ${into.parentId} else merged_into_id end,
      mention_count = 0, appearance_count = 0
    where id = any(${sql.array([...from.memberIds], "int8")})`);
  await insertMerge(transaction, "merge", from.entityId, into.canonicalId);
}

const placeRow = z
  .object({ canonical_id: count.nullable() })
  .transform((row): { canonicalId: number | null } => ({ canonicalId: row.canonical_id }));

/** What an entity reads as, null where as itself; null in place of the answer where there is no such entity. */
export async function readCanonical(
  transaction: Transaction,
  entityId: number,
): Promise<{ canonicalId: number | null } | null> {
  return transaction.maybeOne(sql.type(placeRow)`select canonical_id from entity where id = ${entityId}`);
}

/** A merged entity and all that was merged into it, directly or not. */
export async function findMergedInto(transaction: Transaction, entityId: number): Promise<readonly number[]> {
  return transaction.anyFirst(sql.type(memberIdsRow)`
    with recursive subtree as (
      select id from entity where id = ${entityId}
      union select entity.id from entity join subtree on entity.merged_into_id = subtree.id
    )
    select id from subtree order by id`);
}

/**
 * Takes a merge back: the entity is canonical again, with what had been merged into it and the mentions of all of them, which are counted.
 * The caller has locked its members and the entity that they read as.
 */
export async function unmergeEntity(
  transaction: Transaction,
  merged: { entityId: number; memberIds: readonly number[]; canonicalId: number },
): Promise<number> {
  const memberIds = sql.array([...merged.memberIds], "int8");
  const counts = await transaction.one(sql.type(z.object({ mentions: count, appearances: count }))`
    select count(*) as mentions, count(*) filter (where is_appearance) as appearances from mention where entity_id = any(${memberIds})`);
  await transaction.query(sql.typeAlias("void")`
    update entity set canonical_id = nullif(${merged.entityId}::int8, id),
      merged_into_id = case when id = ${merged.entityId} then null else merged_into_id end,
      mention_count = case when id = ${merged.entityId} then ${counts.mentions} else 0 end,
      appearance_count = case when id = ${merged.entityId} then ${counts.appearances} else 0 end
    where id = any(${memberIds})`);
  await transaction.query(sql.typeAlias("void")`
    update entity set mention_count = mention_count - ${counts.mentions}, appearance_count = appearance_count - ${counts.appearances}
    where id = ${merged.canonicalId}`);
  await insertMerge(transaction, "unmerge", merged.entityId, merged.canonicalId);
  return counts.mentions;
}

async function insertMerge(
  transaction: Transaction,
  kind: "merge" | "unmerge",
  fromId: number,
  intoId: number,
): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    insert into identity_change (kind, from_id, into_id) values (${kind}, ${fromId}, ${intoId})`);
}
