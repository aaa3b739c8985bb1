import { z } from "zod";
import type { NamedElsewhere } from "../domain/detection/types.ts";
import { count, type Queryable, sql } from "./pool.ts";

const placeRow = z
  .object({
    id: count,
    entity_id: count,
    segment_id: z.string(),
    char_start: z.number(),
    char_end: z.number(),
    end_seconds: z.number(),
    confidence: z.number(),
  })
  .transform((row) => ({
    mentionId: row.id,
    entityId: row.entity_id,
    segmentId: row.segment_id,
    charStart: row.char_start,
    charEnd: row.char_end,
    endSeconds: row.end_seconds,
    confidence: row.confidence,
  }));
/** A detected mention at its place in the transcript; the entity is the canonical one. */
export type NamedPlace = z.output<typeof placeRow>;

const placed = sql.fragment`
  select mention.id, coalesce(entity.canonical_id, entity.id) as entity_id, segment_id, char_start, char_end, end_seconds, confidence
  from mention join entity on entity.id = mention.entity_id`;

/** What the segments are known to name, in the order of the text; appearances are no words of it. */
export async function listNamedIn(
  db: Queryable,
  videoId: string,
  segmentIds: readonly string[],
): Promise<readonly NamedPlace[]> {
  if (segmentIds.length === 0) return [];
  return db.any(sql.type(placeRow)`
    ${placed} where video_id = ${videoId} and segment_id = any(${sql.array([...segmentIds], "text")}) and not is_appearance
      and source = 'speech' and char_end > char_start
    order by start_seconds, char_start, mention.id`);
}

/** The first mentions of each of some canonical entities in a transcript, at most `most` each. */
export async function listFirstNamed(
  db: Queryable,
  videoId: string,
  entityIds: readonly number[],
  most: number,
): Promise<readonly NamedPlace[]> {
  return db.any(sql.type(placeRow)`
    select named.* from (select id from entity where id = any(${sql.array([...entityIds], "int8")})) as person
    cross join lateral (
      ${placed} where video_id = ${videoId} and (entity.id = person.id or entity.canonical_id = person.id) and segment_id is not null
        and not is_appearance and source = 'speech'
      order by start_seconds limit ${most}
    ) as named`);
}

const elsewhereRow = z
  .object({ entity_id: count, surface_form: z.string(), mentions: count, confidence: z.number() })
  .transform((row): NamedElsewhere => ({
    entityId: row.entity_id,
    surfaceForm: row.surface_form,
    mentions: row.mentions,
    confidence: row.confidence,
  }));

/** How some entities are called in the segments of a video but those left out; of each at most 50 mentions count. */
export async function listNamedElsewhere(
  db: Queryable,
  videoId: string,
  entityIds: readonly number[],
  leftOut: readonly string[],
): Promise<readonly NamedElsewhere[]> {
  return db.any(sql.type(elsewhereRow)`
    select coalesce(entity.canonical_id, entity.id) as entity_id, called.surface_form, count(*) as mentions, max(called.confidence) as confidence
    from entity cross join lateral (
      select surface_form, confidence from mention
      where video_id = ${videoId} and entity_id = entity.id and not is_appearance and source = 'speech' and surface_form is not null
        and segment_id <> all(${sql.array([...leftOut], "text")})
      limit 50
    ) as called
    where entity.id = any(${sql.array([...entityIds], "int8")}) and called.confidence >= 0.75
    group by 1, 2`);
}

/** The detected commercial rows of a video that share time with a stretch of it. */
export async function listCommercialIdsWithin(
  db: Queryable,
  videoId: string,
  { startSeconds, endSeconds }: { startSeconds: number; endSeconds: number },
): Promise<readonly number[]> {
  return db.anyFirst(sql.type(z.object({ id: count }))`
    select id from recommendation where video_id = ${videoId} and segment_id is not null and source <> 'import'
      and start_seconds < ${Math.ceil(endSeconds)} and end_seconds > ${Math.floor(startSeconds)}`);
}

const appearanceRow = z
  .object({
    id: count,
    entity_id: count,
    segment_id: z.string().nullable(),
    speaker_id: z.string().nullable(),
  })
  .transform((row) => ({
    mentionId: row.id,
    entityId: row.entity_id,
    segmentId: row.segment_id,
    speakerId: row.speaker_id,
  }));
/** An appearance that was detected, or told by a correction; the person is the canonical one. */
export type KnownAppearance = z.output<typeof appearanceRow>;

/** Everybody who appears in a video, but by an import. */
export async function listAppearances(db: Queryable, videoId: string): Promise<readonly KnownAppearance[]> {
  return db.any(sql.type(appearanceRow)`
    select mention.id, coalesce(entity.canonical_id, entity.id) as entity_id, segment_id, speaker_id
    from mention join entity on entity.id = mention.entity_id
    where video_id = ${videoId} and is_appearance and source <> 'import'`);
}
