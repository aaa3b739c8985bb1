import { z } from "zod";
import { count, type Queryable, sql } from "./pool.ts";

const countsRow = z.object({ entity_type: z.string(), entities: count });

/** How many different entities of each group the video's mentions name, merges followed. */
export async function countEntitiesOfVideo(db: Queryable, videoId: string): Promise<Map<string, number>> {
  const rows = await db.any(sql.type(countsRow)`
    select group_of_type(canonical.type) as entity_type, count(*) as entities
    from (
      select distinct coalesce(entity.canonical_id, entity.id) as id
      from mention join entity on entity.id = mention.entity_id where video_id = ${videoId}
    ) as named join entity as canonical on canonical.id = named.id
    group by 1`);
  return new Map(rows.map((row) => [row.entity_type, row.entities]));
}

/** Whether the video was looked through at all, or has evidence from an import. */
export async function isVideoIndexed(db: Queryable, videoId: string): Promise<boolean> {
  return db.oneFirst(sql.type(z.object({ indexed: z.boolean() }))`
    select exists (select from video_index where video_id = ${videoId}) or exists (select from mention where video_id = ${videoId}) as indexed`);
}

/** An `evidence_stamp` as text: of all of its 64 bits. */
export const stamp = z.bigint().transform(String);
