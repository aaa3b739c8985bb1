import { z } from "zod";
import type { RecognisedSegment } from "../domain/speech.ts";
import { count, eachRow, type Queryable, type SqlFragment, sql, timestamp, type Transaction } from "./pool.ts";
import { speakerRows } from "./transcriptSpeakers.ts";
import { stamp } from "./videoEvidence.ts";

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

const segmentFields = z.object({
  id: z.string(),
  index: z.number(),
  start_seconds: z.number(),
  end_seconds: z.number(),
  speaker_id: z.string().nullable(),
  text: z.string(),
  confidence: z.number(),
  edited: z.boolean(),
  words: z.array(z.tuple([z.string(), z.number(), z.number(), z.number()])).optional(),
});
const shapeSegment = (row: z.output<typeof segmentFields>) => ({
  id: row.id,
  index: row.index,
  startSeconds: row.start_seconds,
  endSeconds: row.end_seconds,
  speakerId: row.speaker_id,
  text: row.text,
  confidence: Math.round(row.confidence * 1000) / 1000,
  edited: row.edited,
  words: row.words,
});
const segmentRow = segmentFields.transform(shapeSegment);
export type TranscriptSegmentRow = z.infer<typeof segmentRow>;

/** Words only where asked for, as they are most of the bytes. */
function segmentsOf(videoId: string, include: { words: boolean }): SqlFragment {
  const words = include.words ? sql.fragment`, words` : sql.fragment``;
  return sql.fragment`
    select id, (row_number() over (order by position) - 1)::int4 as index, start_seconds, end_seconds, speaker_id, text, confidence,
      made_seq > 0 as edited${words}
    from transcript_segment where video_id = ${videoId}`;
}

/** The segments with these ids, in order, each with its place in the whole transcript, without words. */
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
      start_seconds, end_seconds, speaker_id, text, confidence, made_seq > 0 as edited
    from asked order by position`);
}

/** Which segments are wanted: those that end after and begin before these seconds, where there are such bounds. */
export interface SegmentSelection {
  words: boolean;
  startSeconds: number | null;
  endSeconds: number | null;
}

/** A mention's place in the text of its segment; the entity is the canonical one. */
const place = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .transform(([mentionId, entityId, charStart, charEnd]) => ({ mentionId, entityId, charStart, charEnd }));
const placedSegmentRow = segmentFields
  .extend({ speaker_label: z.string().nullable(), places: z.array(place).nullable() })
  .transform(({ places, speaker_label: speakerLabel, ...row }) => ({
    ...shapeSegment(row),
    speakerLabel,
    places: places ?? [],
  }));
export type PlacedSegment = z.output<typeof placedSegmentRow>;

/** Hands over the segments in order, each with the mentions in its text, in the order of the text. */
export async function eachPlacedSegment(
  db: Queryable,
  videoId: string,
  { words, startSeconds, endSeconds }: SegmentSelection,
  take: (segment: PlacedSegment) => void,
): Promise<void> {
  await eachRow(
    db,
    sql.type(placedSegmentRow)`
      select segment.*, speaker.label as speaker_label, place.places
      from (${segmentsOf(videoId, { words })}) as segment
      left join transcript_speaker as speaker on speaker.video_id = ${videoId} and speaker.id = segment.speaker_id
      left join (
        select segment_id, json_agg(json_build_array(id, entity_id, char_start, char_end) order by start_seconds, char_start, id) as places
        from transcript_mention where video_id = ${videoId} group by segment_id
      ) as place on place.segment_id = segment.id
      where (${startSeconds}::float8 is null or segment.end_seconds > ${startSeconds}::float8)
        and (${endSeconds}::float8 is null or segment.start_seconds < ${endSeconds}::float8)
      order by segment.index`,
    take,
  );
}

/** Hands over the segments in order, without words or mentions. */
export async function eachSegment(
  db: Queryable,
  videoId: string,
  take: (segment: TranscriptSegmentRow) => void,
): Promise<void> {
  await eachRow(db, sql.type(segmentRow)`${segmentsOf(videoId, { words: false })} order by index`, take);
}

const versionRow = z
  .object({ revision: z.number(), seq: z.number(), evidence_stamp: stamp, speakers: speakerRows })
  .transform((row) => ({
    revision: row.revision,
    seq: row.seq,
    evidenceStamp: row.evidence_stamp,
    speakers: row.speakers,
  }));
/** Which text it is, and which entities stand where in it: two reads with one version got the same. */
export type TextVersion = z.output<typeof versionRow>;

/** Null while there is no transcript. */
export async function readTextVersion(db: Queryable, videoId: string): Promise<TextVersion | null> {
  return db.maybeOne(sql.type(versionRow)`
    select revision, seq, evidence_stamp(video_id) as evidence_stamp, speakers_of(video_id) as speakers from transcript where video_id = ${videoId}`);
}
