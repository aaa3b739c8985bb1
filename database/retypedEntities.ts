import { z } from "zod";
import { count, sql, type Transaction } from "./pool.ts";

const retypedRow = z
  .object({
    entity_id: count,
    entity_type: z.string(),
    after_facet: z.number(),
    after_sorted_at: z.string(),
    after_id: count,
  })
  .transform((row) => ({
    entityId: row.entity_id,
    group: row.entity_type,
    after: { facet: row.after_facet, sortedAt: row.after_sorted_at, id: row.after_id },
  }));
/** An entity whose mentions carry another group than its own, from a place in the index `mention_entity` on. */
export type RetypedEntity = z.output<typeof retypedRow>;

/** One of the retyped entities that nobody else works on, locked; null where there is none. */
export async function lockRetypedEntity(transaction: Transaction): Promise<RetypedEntity | null> {
  return transaction.maybeOne(sql.type(retypedRow)`
    select entity_id, entity_type, after_facet, after_sorted_at::text, after_id from retyped_entity
    order by entity_id limit 1 for update skip locked`);
}

/** Rewrites the group that the next mentions of the entity carry, and moves its place on; returns how many mentions it went through. */
export async function retypeMentions(
  transaction: Transaction,
  { entityId, group, after }: RetypedEntity,
  limit: number,
): Promise<number> {
  return transaction.oneFirst(sql.type(z.object({ count }))`
    with batch as materialized (
      select facet, sorted_at, id from mention
      where entity_id = ${entityId} and (facet, sorted_at, id) > (${after.facet}::int2, ${after.sortedAt}::timestamptz, ${after.id}::int8)
      order by facet, sorted_at, id limit ${limit}
    ), rewritten as (
      update mention set entity_type = ${group} from batch where mention.id = batch.id and mention.entity_type <> ${group}
    ), moved as (
      update retyped_entity set after_facet = last.facet, after_sorted_at = last.sorted_at, after_id = last.id
      from (select * from batch order by facet desc, sorted_at desc, id desc limit 1) as last where entity_id = ${entityId}
    )
    select count(*) from batch`);
}

/** Lets lists by type read the entity's mentions by the group that they carry again. */
export async function deleteRetypedEntity(transaction: Transaction, entityId: number): Promise<void> {
  await transaction.query(sql.typeAlias("void")`delete from retyped_entity where entity_id = ${entityId}`);
}
