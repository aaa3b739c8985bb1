import { z } from "zod";
import type { CaptionSegment } from "../domain/captions/segments.ts";
import type { FailureReason } from "../domain/failureReasons.ts";
import type { AudioSpan } from "../domain/media.ts";
import { type ScanRun, type ScanSource, scanSources, scanStatuses } from "../domain/scan.ts";
import { fromStoredCaptions, storedCaptions, toStoredCaptions } from "./captionTracks.ts";
import { type Queryable, sql, timestamp, type Transaction } from "./pool.ts";

const scanRow = z
  .object({
    video_id: z.string(),
    run: z.number(),
    status: z.enum(scanStatuses),
    failure_reason: z.string().nullable(),
    source: z.enum(scanSources).nullable(),
    language: z.string().nullable(),
    indexed: z.boolean(),
    completed_at: timestamp.nullable(),
  })
  .transform((row) => ({
    videoId: row.video_id,
    run: row.run,
    status: row.status,
    failureReason: row.failure_reason,
    source: row.source,
    language: row.language,
    indexed: row.indexed,
    completedAt: row.completed_at,
  }));
export type Scan = z.infer<typeof scanRow>;

const scanColumns = sql.fragment`video_id, run, status, failure_reason, source, language, indexed, completed_at`;

export async function readScan(db: Queryable, videoId: string): Promise<Scan | null> {
  return db.maybeOne(sql.type(scanRow)`select ${scanColumns} from scan where video_id = ${videoId}`);
}

/** Reads the scan and holds its row lock until the transaction ends, so that ending it is decided once. */
export async function lockScan(transaction: Transaction, videoId: string): Promise<Scan | null> {
  return transaction.maybeOne(
    sql.type(scanRow)`select ${scanColumns} from scan where video_id = ${videoId} for update`,
  );
}

/** Queues a scan, a new run where an earlier one has ended; one that is queued or under way stays as it is. */
export async function queueScan(db: Queryable, videoId: string): Promise<void> {
  await db.query(sql.typeAlias("void")`
    insert into scan (video_id, status) values (${videoId}, 'queued')
    on conflict (video_id) do update set status = 'queued', run = scan.run + 1, failure_reason = null, requested_at = now()
      where scan.status not in ('queued', 'running')`);
}

/** The videos of the list that have never been scanned and have no transcript. */
export async function selectUnscanned(db: Queryable, videoIds: readonly string[]): Promise<ReadonlySet<string>> {
  const ids = await db.anyFirst(sql.type(z.object({ id: z.string() }))`
    select id from unnest(${sql.array([...videoIds], "text")}) as id
    where not exists (select from scan where video_id = id) and not exists (select from transcript where video_id = id)`);
  return new Set(ids);
}

/** Sets a run that is queued or under way to running; false when it has ended or another run was asked for. */
export async function startScan(db: Queryable, { videoId, run }: ScanRun): Promise<boolean> {
  const id = await db.maybeOneFirst(sql.type(z.object({ video_id: z.string() }))`
    update scan set status = 'running' where video_id = ${videoId} and run = ${run} and status in ('queued', 'running') returning video_id`);
  return id !== null;
}

/** Every video with a scan under way, and so perhaps sound at hand. */
export async function readRunningScanIds(db: Queryable): Promise<readonly string[]> {
  return db.anyFirst(sql.type(z.object({ video_id: z.string() }))`
    select video_id from scan where status in ('queued', 'running')`);
}

/** Ends a scan without a result and drops its chunks. The caller holds its lock and has seen that it is under way. */
export async function endScan(
  transaction: Transaction,
  videoId: string,
  end: { status: "failed"; reason: FailureReason } | { status: "canceled" },
): Promise<void> {
  const reason = end.status === "failed" ? end.reason : null;
  await transaction.query(sql.typeAlias("void")`
    update scan set status = ${end.status}, failure_reason = ${reason}, completed_at = now() where video_id = ${videoId}`);
  await deleteChunks(transaction, videoId);
}

/** Ends a scan with what it found, in place of what an earlier run had. The caller holds its lock and has seen that it is under way. */
export async function completeScan(
  transaction: Transaction,
  videoId: string,
  found: { source: ScanSource; language: string | null; heard: readonly CaptionSegment[] | null; indexed: boolean },
): Promise<void> {
  const segments = found.heard === null ? null : sql.jsonb(toStoredCaptions(found.heard));
  await transaction.query(sql.typeAlias("void")`
    update scan set status = 'completed', failure_reason = null, completed_at = now(), source = ${found.source}, language = ${found.language},
      segments = ${segments}, indexed = ${found.indexed}
    where video_id = ${videoId}`);
  await deleteChunks(transaction, videoId);
}

async function deleteChunks(transaction: Transaction, videoId: string): Promise<void> {
  await transaction.query(sql.typeAlias("void")`delete from scan_chunk where video_id = ${videoId}`);
}

/** Writes a run's plan of chunks once; a repeated split keeps the first, and the work done. Returns how many there are. */
export async function insertScanChunks(
  transaction: Transaction,
  { videoId, run }: ScanRun,
  spans: readonly AudioSpan[],
): Promise<number> {
  await lockScan(transaction, videoId);
  const planned = await countChunks(transaction, { videoId, run });
  if (planned > 0) return planned;
  await transaction.query(sql.typeAlias("void")`
    insert into scan_chunk (video_id, run, index, start_seconds, end_seconds)
    select ${videoId}, ${run}, span.index, span.start_seconds, span.end_seconds
    from ${sql.unnest(
      spans.map((span, index) => [index, span.startSeconds, span.endSeconds]),
      ["int4", "float8", "float8"],
    )} as span (index, start_seconds, end_seconds)`);
  return spans.length;
}

async function countChunks(db: Queryable, { videoId, run }: ScanRun): Promise<number> {
  return db.oneFirst(sql.type(z.object({ count: z.number() }))`
    select count(*)::int4 as count from scan_chunk where video_id = ${videoId} and run = ${run}`);
}

const scanChunkRow = z
  .object({
    start_seconds: z.number(),
    end_seconds: z.number(),
    language: z.string().nullable(),
  })
  .transform((row) => ({
    span: { startSeconds: row.start_seconds, endSeconds: row.end_seconds },
    language: row.language,
  }));
export type ScanChunk = z.infer<typeof scanChunkRow>;

/** A chunk that is still to be listened to; null when it is done, or its run has ended. */
export async function readScanChunk(
  db: Queryable,
  { videoId, run }: ScanRun,
  index: number,
): Promise<ScanChunk | null> {
  return db.maybeOne(sql.type(scanChunkRow)`
    select chunk.start_seconds, chunk.end_seconds, video.language
    from scan_chunk chunk join scan on scan.video_id = chunk.video_id join video on video.id = chunk.video_id
    where chunk.video_id = ${videoId} and chunk.run = ${run} and chunk.index = ${index} and chunk.recognised_at is null
      and scan.run = ${run} and scan.status = 'running'`);
}

/** Keeps the first result of a chunk; a second run of the same activity changes nothing. */
export async function storeScanChunk(
  db: Queryable,
  { videoId, run }: ScanRun,
  index: number,
  segments: readonly CaptionSegment[],
): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update scan_chunk set segments = ${sql.jsonb(toStoredCaptions(segments))}, recognised_at = now()
    where video_id = ${videoId} and run = ${run} and index = ${index} and recognised_at is null`);
}

/** Everything that was heard in a run, in the order of the recording. */
export async function readHeard(db: Queryable, { videoId, run }: ScanRun): Promise<CaptionSegment[]> {
  const chunks = await db.anyFirst(sql.type(z.object({ segments: storedCaptions }))`
    select segments from scan_chunk where video_id = ${videoId} and run = ${run} and segments is not null order by index`);
  return chunks.flatMap((segments) => fromStoredCaptions(segments));
}

/** What the fast pass of the last completed scan heard; null where it had captions, or there was none. */
export async function readScanSegments(db: Queryable, videoId: string): Promise<CaptionSegment[] | null> {
  const segments = await db.maybeOneFirst(sql.type(z.object({ segments: storedCaptions.nullable() }))`
    select segments from scan where video_id = ${videoId}`);
  return segments === null ? null : fromStoredCaptions(segments);
}
