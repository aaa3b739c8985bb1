import { z } from "zod";
import type { RecognisedSegment } from "../domain/speech.ts";
import { count, type Queryable, sql, timestamp, type Transaction } from "./pool.ts";
import { tagRows } from "./transcriptParts.ts";

const transcriptRow = z
  .object({
    video_id: z.string(),
    revision: z.number(),
    seq: z.number(),
    language: z.string().nullable(),
    source: z.string(),
    duration_seconds: z.number(),
    unlocked_at: timestamp.nullable(),
  })
  .transform((row) => ({
    videoId: row.video_id,
    revision: row.revision,
    seq: row.seq,
    language: row.language,
    source: row.source,
    durationSeconds: row.duration_seconds,
    unlockedAt: row.unlocked_at,
  }));
export type TranscriptHead = z.infer<typeof transcriptRow>;

/** The transcript of a video without its text, and since when the account may read it. */
export async function readTranscriptHead(
  db: Queryable,
  videoId: string,
  accountId: string,
): Promise<TranscriptHead | null> {
  return db.maybeOne(sql.type(transcriptRow)`
    select transcript.video_id, revision, seq, transcript.language, source, duration_seconds, unlocked_at
    from transcript left join transcript_unlock on transcript_unlock.video_id = transcript.video_id and account_id = ${accountId}
    where transcript.video_id = ${videoId}`);
}

/** The job that made the video's transcript; null while there is none. */
export async function readTranscriptJobId(db: Queryable, videoId: string): Promise<string | null> {
  return db.maybeOneFirst(
    sql.type(z.object({ job_id: z.string() }))`select job_id from transcript where video_id = ${videoId}`,
  );
}

/** The video's revision; null while there is no transcript. */
export async function readTranscriptRevision(db: Queryable, videoId: string): Promise<number | null> {
  return db.maybeOneFirst(
    sql.type(z.object({ revision: z.number() }))`select revision from transcript where video_id = ${videoId}`,
  );
}

/** Grants an account a transcript for ever; returns false when it had it already, after waiting for a grant that is about to commit. */
export async function insertUnlock(
  db: Queryable,
  unlock: { accountId: string; videoId: string; rows: number },
): Promise<boolean> {
  const granted = await db.maybeOneFirst(sql.type(z.object({ rows: count }))`
    insert into transcript_unlock (account_id, video_id, rows) values (${unlock.accountId}, ${unlock.videoId}, ${unlock.rows})
    on conflict do nothing returning rows`);
  return granted !== null;
}

export interface NewTranscript {
  videoId: string;
  jobId: string;
  language: string | null;
  source: string;
  engine: string;
  durationSeconds: number;
  segments: readonly RecognisedSegment[];
}

/** Publishes revision 1: the head and the engine's segments. */
export async function insertTranscript(transaction: Transaction, transcript: NewTranscript): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    insert into transcript (video_id, job_id, revision, seq, language, source, engine, duration_seconds)
    values (${transcript.videoId}, ${transcript.jobId}, 1, 0, ${transcript.language}, ${transcript.source}, ${transcript.engine}, ${transcript.durationSeconds})`);
  const rows = transcript.segments.map((segment, index) => [
    index,
    `seg_${index}`,
    segment.startSeconds,
    segment.endSeconds,
    segment.text,
    segment.confidence,
    JSON.stringify(segment.words.map((word) => [word.text, word.startSeconds, word.endSeconds, word.confidence])),
  ]);
  await transaction.query(sql.typeAlias("void")`
    insert into transcript_segment (video_id, position, id, start_seconds, end_seconds, text, confidence, words)
    select ${transcript.videoId}, engine_position(segment.index), segment.id, segment.start_seconds, segment.end_seconds, segment.text,
      segment.confidence, segment.words::jsonb
    from ${sql.unnest(rows, ["int4", "text", "float8", "float8", "text", "float4", "text"])}
      as segment (index, id, start_seconds, end_seconds, text, confidence, words)`);
}

const segmentRow = z
  .object({
    id: z.string(),
    index: z.number(),
    start_seconds: z.number(),
    end_seconds: z.number(),
    speaker_id: z.string().nullable(),
    text: z.string(),
    confidence: z.number(),
    edited: z.boolean(),
    tags: tagRows,
    words: z.array(z.tuple([z.string(), z.number(), z.number(), z.number()])).optional(),
  })
  .transform((row) => ({
    id: row.id,
    index: row.index,
    startSeconds: row.start_seconds,
    endSeconds: row.end_seconds,
    speakerId: row.speaker_id,
    text: row.text,
    confidence: Math.round(row.confidence * 1000) / 1000,
    edited: row.edited,
    tags: row.tags,
    words: row.words,
  }));
export type TranscriptSegmentRow = z.infer<typeof segmentRow>;

/** The segments as they stand, in order; words only where asked for, as they are most of the bytes. */
export async function readSegments(
  db: Queryable,
  videoId: string,
  include: { words: boolean },
): Promise<readonly TranscriptSegmentRow[]> {
  const words = include.words ? sql.fragment`, words` : sql.fragment``;
  return db.any(sql.type(segmentRow)`
    select id, (row_number() over (order by position) - 1)::int4 as index, start_seconds, end_seconds, speaker_id, text, confidence,
      made_seq > 0 as edited, tags${words}
    from transcript_segment where video_id = ${videoId} order by position`);
}

/** The segments with these ids, in order, each with its place in the whole transcript. */
export async function readSegmentsById(
  db: Queryable,
  videoId: string,
  segmentIds: readonly string[],
): Promise<readonly TranscriptSegmentRow[]> {
  if (segmentIds.length === 0) return [];
  return db.any(sql.type(segmentRow)`
    with asked as (
      select * from transcript_segment where video_id = ${videoId} and id = any(${sql.array([...segmentIds], "text")})
    )
    select id, (row_number() over (order by position) - 1
        + (select count(*) from transcript_segment where video_id = ${videoId} and position < (select min(position) from asked)))::int4 as index,
      start_seconds, end_seconds, speaker_id, text, confidence, made_seq > 0 as edited, tags
    from asked order by position`);
}
