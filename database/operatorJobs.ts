import { z } from "zod";
import { type JobStatus, jobStatuses } from "../domain/transcriptionJob.ts";
import { count, type Queryable, type SqlFragment, sql, timestamp } from "./pool.ts";
import { jobColumns, jobRow } from "./transcriptionJobs.ts";

const listedRow = z
  .object({ title: z.string().nullable(), email: z.string() })
  .and(jobRow)
  .transform(({ title, email, ...job }) => ({ ...job, videoTitle: title, accountEmail: email }));
/** A job with whom and what it is for. */
export type ListedJob = z.output<typeof listedRow>;

export interface JobFilter {
  status: JobStatus | null;
  /** The submitter. */
  accountId: string | null;
}

export interface JobPage {
  limit: number;
  /** The last job of the page before. */
  beforeId: string | null;
}

/** Jobs of all accounts or of one, newest first, of one status or of any. */
export async function listJobs(db: Queryable, filter: JobFilter, page: JobPage): Promise<readonly ListedJob[]> {
  return db.any(sql.type(listedRow)`${jobsStatement(filter, page)}`);
}

/** Behind every id there is. */
const lastId = "~";

/** The statement of `listJobs`, so that its plan can be looked at. Of each status of an account no more is read than the page holds. */
export function jobsStatement({ status, accountId }: JobFilter, page: JobPage): SqlFragment {
  const beforeId = page.beforeId ?? lastId;
  return sql.fragment`
    with page as materialized (${pageOf(status, accountId, beforeId, page.limit)})
    select ${jobColumns}, video.title, account.email
    from page join transcription_job as job on job.id = page.id
      join video on video.id = job.video_id
      join account on account.id = job.account_id
    order by job.id desc`;
}

/** Ranges instead of equalities: the planner then keeps to the index in its order, whatever it thinks of how many there are. */
function pageOf(status: JobStatus | null, accountId: string | null, beforeId: string, limit: number): SqlFragment {
  if (accountId !== null) {
    const statuses = status === null ? [...jobStatuses] : [status];
    return sql.fragment`
      select listed.id from unnest(${sql.array(statuses, "text")}) as wanted (status) cross join lateral (
        select id from transcription_job
        where (account_id, status, id) < (${accountId}, wanted.status, ${beforeId}) and (account_id, status) >= (${accountId}, wanted.status)
        order by account_id desc, status desc, id desc limit ${limit}
      ) as listed
      order by listed.id desc limit ${limit}`;
  }
  if (status !== null)
    return sql.fragment`
      select id from transcription_job where (status, id) < (${status}, ${beforeId}) and status >= ${status}
      order by status desc, id desc limit ${limit}`;
  return sql.fragment`select id from transcription_job where id < ${beforeId} order by id desc limit ${limit}`;
}

const readRow = z
  .object({
    title: z.string().nullable(),
    email: z.string(),
    started_at: timestamp.nullable(),
    engine_seconds: z.number().nullable(),
    chunks_recognised: count,
  })
  .and(jobRow)
  .transform(({ title, email, started_at, engine_seconds, chunks_recognised, ...job }) => ({
    ...job,
    videoTitle: title,
    accountEmail: email,
    startedAt: started_at,
    /** Time the engines worked on it, once it has ended. */
    engineSeconds: engine_seconds,
    /** While it runs; chunks go when it ends. */
    chunksRecognised: chunks_recognised,
  }));
export type OperatedJob = z.output<typeof readRow>;

/** A job with all that is kept of it; null where there is none. */
export async function readOperatedJob(db: Queryable, jobId: string): Promise<OperatedJob | null> {
  return db.maybeOne(sql.type(readRow)`
    select ${jobColumns}, video.title, account.email, job.started_at, job.engine_seconds,
      (select count(*) from transcription_chunk where job_id = job.id and recognised_at is not null) as chunks_recognised
    from transcription_job as job
      join video on video.id = job.video_id
      join account on account.id = job.account_id
    where job.id = ${jobId}`);
}

const entryRow = z.object({
  at: timestamp,
  period: z.string(),
  rows: count,
  kind: z.enum(["hold", "capture", "refund"]),
  reason: z.string(),
});
/** A ledger entry of a job: rows above zero were taken, below zero given back. */
export type JobEntry = z.output<typeof entryRow>;

/** What the ledger says of a job, in order. */
export async function listJobEntries(db: Queryable, jobId: string): Promise<readonly JobEntry[]> {
  return db.any(sql.type(entryRow)`${jobEntriesStatement(jobId)}`);
}

/** The statement of `listJobEntries`, so that its plan can be looked at. */
export function jobEntriesStatement(jobId: string): SqlFragment {
  return sql.fragment`
    select created_at as at, period::text, rows, kind, reason from ledger_entry where subject = ${jobId} and kind <> 'debit' order by id`;
}
