import { z } from "zod";
import type { AudioSpan } from "../domain/media.ts";
import type { RecognisedSegment } from "../domain/speech.ts";
import { type Queryable, sql, type Transaction } from "./pool.ts";

const word = z.tuple([z.string(), z.number(), z.number(), z.number()]);
const storedSegments = z.array(
  z.object({ text: z.string(), start: z.number(), end: z.number(), confidence: z.number(), words: z.array(word) }),
);
type StoredSegments = z.infer<typeof storedSegments>;

function toStored(segments: readonly RecognisedSegment[]): StoredSegments {
  return segments.map((segment) => ({
    text: segment.text,
    start: segment.startSeconds,
    end: segment.endSeconds,
    confidence: segment.confidence,
    words: segment.words.map((each) => [each.text, each.startSeconds, each.endSeconds, each.confidence]),
  }));
}

function fromStored(stored: StoredSegments): RecognisedSegment[] {
  return stored.map((segment) => ({
    text: segment.text,
    startSeconds: segment.start,
    endSeconds: segment.end,
    confidence: segment.confidence,
    words: segment.words.map(([text, startSeconds, endSeconds, confidence]) => ({
      text,
      startSeconds,
      endSeconds,
      confidence,
    })),
  }));
}

/** Writes a job's plan of chunks once; a repeated split keeps the plan, and the work done, of the first. Returns how many there are. */
export async function insertChunks(
  transaction: Transaction,
  jobId: string,
  spans: readonly AudioSpan[],
): Promise<number> {
  const planned = await transaction.maybeOneFirst(sql.type(z.object({ chunk_count: z.number().nullable() }))`
    select chunk_count from transcription_job where id = ${jobId} for update`);
  if (typeof planned === "number") return planned;
  await transaction.query(sql.typeAlias("void")`
    insert into transcription_chunk (job_id, index, start_seconds, end_seconds)
    select ${jobId}, span.index, span.start_seconds, span.end_seconds
    from ${sql.unnest(
      spans.map((span, index) => [index, span.startSeconds, span.endSeconds]),
      ["int4", "float8", "float8"],
    )}
      as span (index, start_seconds, end_seconds)`);
  await transaction.query(
    sql.typeAlias("void")`update transcription_job set chunk_count = ${spans.length} where id = ${jobId}`,
  );
  return spans.length;
}

const chunkToDoRow = z
  .object({
    video_id: z.string(),
    start_seconds: z.number(),
    end_seconds: z.number(),
    recognised: z.boolean(),
    running: z.boolean(),
    language: z.string().nullable(),
  })
  .transform((row) => ({
    videoId: row.video_id,
    span: { startSeconds: row.start_seconds, endSeconds: row.end_seconds },
    recognised: row.recognised,
    running: row.running,
    language: row.language,
  }));

export type ChunkToDo = z.infer<typeof chunkToDoRow>;

/** What a recogniser needs to know of one chunk; null when the job has ended and its chunks are gone. */
export async function readChunkToDo(db: Queryable, jobId: string, index: number): Promise<ChunkToDo | null> {
  return db.maybeOne(sql.type(chunkToDoRow)`
    select job.video_id, chunk.start_seconds, chunk.end_seconds, chunk.recognised_at is not null as recognised,
      job.status in ('queued', 'processing') as running, job.language
    from transcription_chunk chunk join transcription_job job on job.id = chunk.job_id
    where chunk.job_id = ${jobId} and chunk.index = ${index}`);
}

/** Keeps the first result of a chunk; a second run of the same activity changes nothing. */
export async function storeChunk(
  db: Queryable,
  chunk: {
    jobId: string;
    index: number;
    segments: readonly RecognisedSegment[];
    engineSeconds: number;
    engine: string;
  },
): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update transcription_chunk set segments = ${sql.jsonb(toStored(chunk.segments))}, engine_seconds = ${chunk.engineSeconds},
      engine = ${chunk.engine}, recognised_at = now()
    where job_id = ${chunk.jobId} and index = ${chunk.index} and recognised_at is null`);
}

export interface Recognised {
  segments: RecognisedSegment[];
  /** The engines that did it, joined by commas where there were several. */
  engine: string;
}

/** Everything recognised, in the order of the recording. */
export async function readRecognised(db: Queryable, jobId: string): Promise<Recognised> {
  const rows = await db.any(sql.type(z.object({ segments: storedSegments, engine: z.string() }))`
    select segments, engine from transcription_chunk where job_id = ${jobId} and segments is not null order by index`);
  return {
    segments: rows.flatMap((row) => fromStored(row.segments)),
    engine: [...new Set(rows.map((row) => row.engine))].join(", "),
  };
}
