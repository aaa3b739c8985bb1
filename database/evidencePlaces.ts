import { z } from "zod";
import { count, sql, type Transaction } from "./pool.ts";
import type { RowImage } from "./reviewRows.ts";

/** The video that a row of evidence is from; null where there is no such row. */
export async function findVideoOf(
  transaction: Transaction,
  table: "mention" | "recommendation",
  id: number,
): Promise<string | null> {
  return transaction.maybeOneFirst(sql.type(z.object({ video_id: z.string() }))`
    select video_id from ${sql.identifier([table])} where id = ${id}`);
}

/** Whether another row of evidence stands at the very place of this one: the same entity, kind and seconds of the same video. */
export async function isTakenPlace(
  transaction: Transaction,
  table: "mention" | "recommendation",
  id: number,
  place: RowImage,
): Promise<boolean> {
  const given = JSON.stringify(place);
  return table === "mention"
    ? transaction.exists(sql.typeAlias("void")`
        select from mention join jsonb_populate_record(null::mention, ${given}::jsonb) as told
          on mention.video_id = told.video_id and mention.entity_id = told.entity_id and mention.start_seconds = told.start_seconds
            and mention.end_seconds = told.end_seconds and mention.is_appearance = coalesce(told.is_appearance, false)
        where mention.id <> ${id}`)
    : transaction.exists(sql.typeAlias("void")`
        select from recommendation join jsonb_populate_record(null::recommendation, ${given}::jsonb) as told
          on recommendation.video_id = told.video_id and recommendation.entity_id = told.entity_id
            and recommendation.mention_class = told.mention_class and recommendation.start_seconds is not distinct from told.start_seconds
            and recommendation.end_seconds is not distinct from told.end_seconds
        where recommendation.id <> ${id}`);
}

/** Another appearance of one of the entities in a video than `exceptId`; null where there is none. */
export async function findAppearance(
  transaction: Transaction,
  videoId: string,
  entityIds: readonly number[],
  exceptId: number | null,
): Promise<number | null> {
  return transaction.maybeOneFirst(sql.type(z.object({ id: count }))`
    select id from mention where video_id = ${videoId} and is_appearance and entity_id = any(${sql.array([...entityIds], "int8")})
      and id is distinct from ${exceptId}::int8
    order by id limit 1`);
}

/** Holds the videos whose evidence the correction settled against re-indexing, in one order. */
export async function lockVideosOf(transaction: Transaction, correctionId: number): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    select from video where id in (select video_id from reviewed_evidence where correction_id = ${correctionId}) order by id for no key update`);
}
