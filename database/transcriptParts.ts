import { z } from "zod";
import type { Change, EntityTag, Segment } from "../domain/corrections/types.ts";
import { allRows, count, type Queryable, sql, type SqlFragment, type Transaction } from "./pool.ts";

/** Tags as they are stored, each with what its entity was merged into, if it was. */
const tagRows = z
  .array(z.tuple([z.number(), z.number(), z.number(), z.enum(["add", "remove"]), z.number().nullable()]))
  .transform((tags) =>
    tags.map(([toldId, charStart, charEnd, action, canonicalId]): EntityTag => {
      const tag = { entityId: toldId, charStart, charEnd, action };
      return canonicalId === null ? tag : { ...tag, entityId: canonicalId, mergedFromId: toldId };
    }),
  );

const segmentRow = z
  .object({
    id: z.string(),
    position: z.string(),
    start_seconds: z.number(),
    end_seconds: z.number(),
    speaker_id: z.string().nullable(),
    text: z.string(),
    confidence: z.number(),
    words: z.array(z.tuple([z.string(), z.number(), z.number(), z.number()])),
    tags: tagRows,
    made_seq: z.number(),
  })
  .transform((row): Segment => ({
    id: row.id,
    position: row.position,
    startSeconds: row.start_seconds,
    endSeconds: row.end_seconds,
    speakerId: row.speaker_id,
    text: row.text,
    confidence: row.confidence,
    words: row.words,
    tags: row.tags,
    madeSeq: row.made_seq,
  }));
/** What is written or read in one go: the process does nothing else meanwhile. */
const segmentsPerStatement = 200;
const columns = sql.fragment`id, position, start_seconds, end_seconds, speaker_id, text, confidence, words, tags, made_seq`;

/** The columns as they are read: what people say of an entity is said of what it was merged into. */
const readColumns = sql.fragment`id, position, start_seconds, end_seconds, speaker_id, text, confidence, words, made_seq,
  case when tags = '[]' then tags else (
    select jsonb_agg(tag || coalesce(to_jsonb(entity.canonical_id), 'null') order by n)
    from jsonb_array_elements(tags) with ordinality as told (tag, n) left join entity on entity.id = (tag ->> 0)::bigint
  ) end as tags`;

/** The transcript as it stands, in order. */
export async function readAllSegments(db: Queryable, videoId: string): Promise<readonly Segment[]> {
  return db.any(sql.type(segmentRow)`
    select ${readColumns} from transcript_segment where video_id = ${videoId} order by position`);
}

/** Segments of a transcript by the place they stand at, both ends included, in order. */
export async function readRange(
  db: Queryable,
  videoId: string,
  { from, to }: { from: string; to: string },
): Promise<readonly Segment[]> {
  return allRows(
    db,
    sql.type(segmentRow)`
    select ${readColumns} from transcript_segment where video_id = ${videoId} and position between ${from} and ${to} order by position`,
  );
}

/** How much stands within a stretch of positions; characters in UTF-16 code units but for those beyond the first plane, which are one here. */
export async function measureRange(
  db: Queryable,
  videoId: string,
  { from, to }: { from: string; to: string },
): Promise<{ segments: number; characters: number }> {
  return db.one(sql.type(z.object({ segments: count, characters: count }))`
    select count(*) as segments, coalesce(sum(length(text)), 0)::int8 as characters
    from transcript_segment where video_id = ${videoId} and position between ${from} and ${to}`);
}

/** The segments with these ids that stand in the transcript, in order. */
export async function readPresent(
  db: Queryable,
  videoId: string,
  segmentIds: readonly string[],
): Promise<readonly Segment[]> {
  return allRows(
    db,
    sql.type(segmentRow)`
    select ${readColumns} from transcript_segment
    where video_id = ${videoId} and id = any(${sql.array([...segmentIds], "text")}) order by position`,
  );
}

/** Up to `count` segments on each side of a stretch of positions, and those within it, in order. */
export async function readAround(
  db: Queryable,
  videoId: string,
  { from, to, count }: { from: string; to: string; count: number },
): Promise<readonly Segment[]> {
  const ofVideo = sql.fragment`select ${readColumns} from transcript_segment where video_id = ${videoId}`;
  return allRows(
    db,
    sql.type(segmentRow)`
    (${ofVideo} and position < ${from} order by position desc limit ${count})
    union all (${ofVideo} and position between ${from} and ${to})
    union all (${ofVideo} and position > ${to} order by position limit ${count})
    order by position`,
  );
}

/** What a speaker says first; null for one who says nothing. */
export async function readFirstSpoken(db: Queryable, videoId: string, speakerId: string): Promise<Segment | null> {
  return db.maybeOne(sql.type(segmentRow)`
    select ${readColumns} from transcript_segment where video_id = ${videoId} and speaker_id = ${speakerId} order by start_seconds, position limit 1`);
}

/** The first position after one that is taken, by what stands there or once did; null at the end. */
export async function readNextPosition(db: Queryable, videoId: string, position: string): Promise<string | null> {
  const after = (table: SqlFragment) =>
    sql.fragment`(select position from ${table} where video_id = ${videoId} and position > ${position} order by position limit 1)`;
  return db.maybeOneFirst(sql.type(z.object({ position: z.string() }))`
    select position from (
      ${after(sql.fragment`transcript_segment`)} union all ${after(sql.fragment`transcript_segment_history`)}
    ) as next order by position limit 1`);
}

/** What the entry `seq` of the log made of the transcript. */
export async function readSegmentChange(
  db: Queryable,
  videoId: string,
  seq: number,
): Promise<{ before: readonly Segment[]; after: readonly Segment[] }> {
  const before = await allRows(
    db,
    sql.type(segmentRow)`
    select ${readColumns} from transcript_segment_history where video_id = ${videoId} and to_seq = ${seq} order by position`,
  );
  const after = await allRows(
    db,
    sql.type(segmentRow)`
    select ${readColumns} from transcript_segment where video_id = ${videoId} and from_seq = ${seq}
    union all
    select ${readColumns} from transcript_segment_history where video_id = ${videoId} and from_seq = ${seq} order by position`,
  );
  return { before, after };
}

/** Puts the `after` of a change in the place of its `before`, which moves to the history. `seq`: the entry of the log that does so. */
export async function replaceSegments(
  transaction: Transaction,
  videoId: string,
  seq: number,
  { before, after }: Pick<Change, "before" | "after">,
): Promise<void> {
  const gone = sql.array(
    before.map(({ id }) => id),
    "text",
  );
  await transaction.query(sql.typeAlias("void")`
    with gone as (delete from transcript_segment where video_id = ${videoId} and id = any(${gone}) returning *)
    insert into transcript_segment_history (video_id, ${columns}, from_seq, to_seq) select video_id, ${columns}, from_seq, ${seq}::int4 from gone`);
  for (let from = 0; from < after.length; from += segmentsPerStatement)
    await insertSegments(transaction, videoId, seq, after.slice(from, from + segmentsPerStatement));
}

async function insertSegments(
  transaction: Transaction,
  videoId: string,
  seq: number,
  segments: readonly Segment[],
): Promise<void> {
  const rows = segments.map((segment) => [
    segment.id,
    segment.position,
    segment.startSeconds,
    segment.endSeconds,
    segment.speakerId,
    segment.text,
    segment.confidence,
    JSON.stringify(segment.words),
    JSON.stringify(
      segment.tags.map(({ entityId, mergedFromId, charStart, charEnd, action }) => [
        mergedFromId ?? entityId,
        charStart,
        charEnd,
        action,
      ]),
    ),
    segment.madeSeq,
  ]);
  const types = ["text", "text", "float8", "float8", "text", "text", "float4", "text", "text", "int4"];
  await transaction.query(sql.typeAlias("void")`
    insert into transcript_segment (video_id, from_seq, id, position, start_seconds, end_seconds, speaker_id, text, confidence, words, tags, made_seq)
    select ${videoId}, ${seq}::int4, id, position, start_seconds, end_seconds, speaker_id, text, confidence, words::jsonb, tags::jsonb, made_seq
    from ${sql.unnest(rows, types)} as put (${columns})`);
}
