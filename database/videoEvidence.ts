import { z } from "zod";
import { count, type Queryable, sql } from "./pool.ts";

const countsRow = z.object({ entity_type: z.string(), entities: count });

/** How many different entities of each group the video's mentions name, merges followed. */
export async function countEntitiesOfVideo(db: Queryable, videoId: string): Promise<Map<string, number>> {
  const rows = await db.any(sql.type(countsRow)`
    select case when canonical.type in ('company', 'brand') then 'organization' else canonical.type end as entity_type, count(*) as entities
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

const placeRow = z
  .object({ id: count, entity_id: count, segment_id: z.string(), char_start: z.number(), char_end: z.number() })
  .transform((row) => ({
    mentionId: row.id,
    entityId: row.entity_id,
    segmentId: row.segment_id,
    charStart: row.char_start,
    charEnd: row.char_end,
  }));
/** A mention's place in the text of its transcript; the entity is the canonical one. */
export type MentionPlace = z.output<typeof placeRow>;

/** The places of a video's mentions in its transcript, in the order of the text; appearances are no words of the text. */
export async function listMentionPlaces(db: Queryable, videoId: string): Promise<readonly MentionPlace[]> {
  return db.any(sql.type(placeRow)`
    select mention.id, coalesce(entity.canonical_id, entity.id) as entity_id, segment_id, char_start, char_end
    from mention join entity on entity.id = mention.entity_id
    where video_id = ${videoId} and source = 'speech' and not is_appearance
    order by start_seconds, char_start, mention.id`);
}
