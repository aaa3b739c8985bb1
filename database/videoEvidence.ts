import { z } from "zod";
import { count, type Queryable, type SqlFragment, sql } from "./pool.ts";

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

/** The places of a video's mentions in its transcript, entities resolved; appearances are no words of the text. */
export function mentionPlacesOf(videoId: SqlFragment): SqlFragment {
  return sql.fragment`
    select mention.id, coalesce(entity.canonical_id, entity.id) as entity_id, segment_id, char_start, char_end, start_seconds
    from mention join entity on entity.id = mention.entity_id
    where video_id = ${videoId} and source = 'speech' and not is_appearance`;
}

/**
 * What the places of a video's mentions come down to, as text: another one whenever a mention comes, goes or moves, or an entity is merged.
 * Made from the mentions themselves, so that nothing that changes them has to know of it.
 */
export function evidenceStampOf(videoId: SqlFragment): SqlFragment {
  return sql.fragment`(
    select coalesce(bit_xor(hash_record_extended(row(id, entity_id, segment_id, char_start, char_end, start_seconds), 0)), 0)::text
    from (${mentionPlacesOf(videoId)}) as place
  )`;
}
