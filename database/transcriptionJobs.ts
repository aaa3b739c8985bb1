import { z } from "zod";
import { failureReasons, type FailureReason } from "../domain/failureReasons.ts";
import {
  type CancelReason,
  type JobPriority,
  type JobStage,
  jobPriorities,
  jobStages,
  jobStatuses,
} from "../domain/transcriptionJob.ts";
import { count, type Queryable, sql, timestamp, type Transaction } from "./pool.ts";

export const jobRow = z
  .object({
    id: z.string(),
    video_id: z.string(),
    account_id: z.string(),
    status: z.enum(jobStatuses),
    stage: z.enum(jobStages),
    language: z.string().nullable(),
    priority: z.enum(jobPriorities),
    held_rows: count,
    held_period: z.string(),
    duration_seconds: z.number().nullable(),
    chunk_count: z.number().nullable(),
    failure_reason: z.enum(failureReasons).nullable(),
    cancel_reason: z.enum(["requested", "insufficient_rows"]).nullable(),
    request_id: z.string().nullable(),
    created_at: timestamp,
    completed_at: timestamp.nullable(),
  })
  .transform((row) => ({
    jobId: row.id,
    videoId: row.video_id,
    accountId: row.account_id,
    status: row.status,
    stage: row.stage,
    language: row.language,
    priority: row.priority,
    heldRows: row.held_rows,
    heldPeriod: row.held_period,
    durationSeconds: row.duration_seconds,
    chunkCount: row.chunk_count,
    failureReason: row.failure_reason,
    cancelReason: row.cancel_reason,
    requestId: row.request_id,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  }));
export type TranscriptionJob = z.infer<typeof jobRow>;

export const jobColumns = sql.fragment`job.id, job.video_id, job.account_id, job.status, job.stage, job.language, job.priority, job.held_rows,
  job.held_period::text, job.duration_seconds, job.chunk_count, job.failure_reason, job.cancel_reason, job.request_id, job.created_at, job.completed_at`;

export interface NewTranscriptionJob {
  jobId: string;
  videoId: string;
  accountId: string;
  language: string | null;
  priority: JobPriority;
  heldRows: number;
  heldPeriod: string;
  durationSeconds: number | null;
  requestId: string;
}

/** Inserts a queued job; returns null when another job of the video is running, waiting first for one that is about to commit. */
export async function insertJob(db: Queryable, job: NewTranscriptionJob): Promise<TranscriptionJob | null> {
  return db.maybeOne(sql.type(jobRow)`
    insert into transcription_job as job (id, video_id, account_id, status, stage, language, priority, held_rows, held_period, duration_seconds, request_id)
    values (${job.jobId}, ${job.videoId}, ${job.accountId}, 'queued', 'queued', ${job.language}, ${job.priority}, ${job.heldRows},
      ${job.heldPeriod}::date, ${job.durationSeconds}, ${job.requestId})
    on conflict (video_id) where status in ('queued', 'processing') do nothing
    returning ${jobColumns}`);
}

export async function readJob(db: Queryable, jobId: string): Promise<TranscriptionJob | null> {
  return db.maybeOne(sql.type(jobRow)`select ${jobColumns} from transcription_job job where id = ${jobId}`);
}

/** Reads the job and holds its row lock until the transaction ends, so that ending it is decided once. */
export async function lockJob(transaction: Transaction, jobId: string): Promise<TranscriptionJob | null> {
  return transaction.maybeOne(
    sql.type(jobRow)`select ${jobColumns} from transcription_job job where id = ${jobId} for update`,
  );
}

/** The running job of a video, whoever pays for it. */
export async function readRunningJob(db: Queryable, videoId: string): Promise<TranscriptionJob | null> {
  return db.maybeOne(sql.type(jobRow)`
    select ${jobColumns} from transcription_job job where video_id = ${videoId} and status in ('queued', 'processing')`);
}

/** Every job that is under way, and so has audio at hand. */
export async function readRunningJobIds(db: Queryable): Promise<ReadonlySet<string>> {
  const ids = await db.anyFirst(sql.type(z.object({ id: z.string() }))`
    select id from transcription_job where status in ('queued', 'processing')`);
  return new Set(ids);
}

/** The job that an account asked for or joined, or null. */
export async function readRequestedJob(
  db: Queryable,
  accountId: string,
  videoId: string,
): Promise<TranscriptionJob | null> {
  return db.maybeOne(sql.type(jobRow)`
    select ${jobColumns} from transcription_request request join transcription_job job on job.id = request.job_id
    where request.account_id = ${accountId} and request.video_id = ${videoId}`);
}

/** Ties an account to the job of a video, in place of an earlier job. */
export async function upsertRequest(db: Queryable, accountId: string, job: TranscriptionJob): Promise<void> {
  await db.query(sql.typeAlias("void")`
    insert into transcription_request (account_id, video_id, job_id) values (${accountId}, ${job.videoId}, ${job.jobId})
    on conflict (account_id, video_id) do update set job_id = excluded.job_id, created_at = now()
    where transcription_request.job_id <> excluded.job_id`);
}

export async function deleteRequest(db: Queryable, accountId: string, videoId: string): Promise<void> {
  await db.query(
    sql.typeAlias("void")`delete from transcription_request where account_id = ${accountId} and video_id = ${videoId}`,
  );
}

export interface RequestPosition {
  createdAt: Date;
  videoId: string;
}

const requestedJobRow = z.object({ requested_at: timestamp }).loose();

/** A page of the jobs an account asked for, newest request first, with the position of each for the next page. */
export async function listRequestedJobs(
  db: Queryable,
  accountId: string,
  limit: number,
  after: RequestPosition | null,
): Promise<readonly { job: TranscriptionJob; position: RequestPosition }[]> {
  const beyond =
    after === null
      ? sql.fragment`true`
      : sql.fragment`(request.created_at, request.video_id) < (${after.createdAt.toISOString()}::timestamptz, ${after.videoId})`;
  const rows = await db.any(sql.type(requestedJobRow)`
    select ${jobColumns}, request.created_at as requested_at
    from transcription_request request join transcription_job job on job.id = request.job_id
    where request.account_id = ${accountId} and ${beyond}
    order by request.created_at desc, request.video_id desc limit ${limit}`);
  return rows.map((row) => {
    const job = jobRow.parse(row);
    return { job, position: { createdAt: row.requested_at, videoId: job.videoId } };
  });
}

/** Moves a running job to a stage; returns whether it is still running. Stages never go back. */
export async function updateStage(db: Queryable, jobId: string, stage: JobStage): Promise<boolean> {
  const id = await db.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    update transcription_job set status = 'processing', started_at = coalesce(started_at, now()),
      stage = case when array_position(${sql.array([...jobStages], "text")}, stage) < array_position(${sql.array([...jobStages], "text")}, ${stage}) then ${stage} else stage end
    where id = ${jobId} and status in ('queued', 'processing') returning id`);
  return id !== null;
}

export async function updateHold(
  db: Queryable,
  jobId: string,
  heldRows: number,
  durationSeconds: number | null,
): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update transcription_job set held_rows = ${heldRows}, duration_seconds = ${durationSeconds} where id = ${jobId}`);
}

export type JobEnd =
  | { status: "completed" }
  | { status: "failed"; reason: FailureReason }
  | { status: "canceled"; reason: CancelReason };

/** Ends a job and drops its chunks. The caller holds its lock and has seen that it is running. */
export async function endJob(transaction: Transaction, jobId: string, end: JobEnd): Promise<void> {
  const failureReason = end.status === "failed" ? end.reason : null;
  const cancelReason = end.status === "canceled" ? end.reason : null;
  const heldRows = end.status === "completed" ? sql.fragment`held_rows` : sql.fragment`0`;
  await transaction.query(sql.typeAlias("void")`
    update transcription_job set status = ${end.status}, failure_reason = ${failureReason}, cancel_reason = ${cancelReason},
      held_rows = ${heldRows}, stage = case when ${end.status} = 'completed' then 'done' else stage end, completed_at = now(),
      engine_seconds = (select sum(engine_seconds) from transcription_chunk where job_id = ${jobId})
    where id = ${jobId}`);
  await transaction.query(sql.typeAlias("void")`delete from transcription_chunk where job_id = ${jobId}`);
}

const workloadRow = z
  .object({
    ahead_audio_seconds: z.number(),
    remaining_audio_seconds: z.number(),
    recognised_share: z.number(),
    seconds_per_audio_second: z.number(),
    engine_processes: count,
  })
  .transform((row) => ({
    aheadAudioSeconds: row.ahead_audio_seconds,
    remainingAudioSeconds: row.remaining_audio_seconds,
    recognisedShare: row.recognised_share,
    secondsPerAudioSecond: row.seconds_per_audio_second,
    engineProcesses: row.engine_processes,
  }));
export type Workload = z.infer<typeof workloadRow>;

/**
 * What an ETA needs, in one statement: audio left in this job and in the running jobs that go first (higher priority, then older),
 * and the engines' speed as measured on the last twenty jobs and on the running ones.
 */
export async function readWorkload(
  db: Queryable,
  job: Pick<TranscriptionJob, "jobId" | "createdAt" | "priority">,
  assumed: { durationSeconds: number; secondsPerAudioSecond: number },
): Promise<Workload> {
  return db.one(sql.type(workloadRow)`
    with running as (
      select job.id, job.priority = 'high' as urgent, job.created_at, chunks.done_seconds,
        coalesce(chunks.total_seconds, job.duration_seconds, ${assumed.durationSeconds}) as total_seconds
      from transcription_job job left join lateral (
        select sum(end_seconds - start_seconds) as total_seconds,
          coalesce(sum(end_seconds - start_seconds) filter (where recognised_at is not null), 0) as done_seconds
        from transcription_chunk where job_id = job.id
      ) chunks on true
      where job.status in ('queued', 'processing')
    ), speed as (
      select sum(engine_seconds) / nullif(sum(audio_seconds), 0) as seconds_per_audio_second from (
        (select engine_seconds, duration_seconds as audio_seconds from transcription_job
          where status = 'completed' order by completed_at desc limit 20)
        union all
        select chunk.engine_seconds, chunk.end_seconds - chunk.start_seconds from transcription_chunk chunk join running on running.id = chunk.job_id
        where chunk.recognised_at is not null) measured
    )
    select
      coalesce(sum(total_seconds - coalesce(done_seconds, 0)) filter (where id <> ${job.jobId}
        and (urgent, ${job.createdAt.toISOString()}::timestamptz) > (${job.priority === "high"}, created_at)), 0)::float8 as ahead_audio_seconds,
      coalesce(sum(total_seconds - coalesce(done_seconds, 0)) filter (where id = ${job.jobId}), 0)::float8 as remaining_audio_seconds,
      coalesce(sum(done_seconds / nullif(total_seconds, 0)) filter (where id = ${job.jobId}), 0)::float8 as recognised_share,
      coalesce((select seconds_per_audio_second from speed), ${assumed.secondsPerAudioSecond})::float8 as seconds_per_audio_second,
      coalesce((select sum(engine_processes) from worker_heartbeat where engine_ready and seen_at > now() - interval '30 seconds'), 0)::int8 as engine_processes
    from running`);
}
