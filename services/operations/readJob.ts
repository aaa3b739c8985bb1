import { type JobEntry, listJobEntries, type OperatedJob, readOperatedJob } from "../../database/operatorJobs.ts";
import { ApiError } from "../../domain/errors.ts";
import { type JobRows, jobRows } from "../../domain/jobRows.ts";
import { isRunning, jobProgress } from "../../domain/transcriptionJob.ts";
import type { ServiceContext } from "../context.ts";
import { estimateJob } from "../transcriptions/record.ts";

/** A job as operators see it. */
export interface JobReport {
  job: OperatedJob;
  /** 0 to 1; of a job that failed or was canceled, how far it had come. */
  progress: number;
  /** Null once it has ended. */
  etaSeconds: number | null;
  rows: JobRows;
  entries: readonly JobEntry[];
}

/** A transcription job of any account, with how far it is and what it has cost. Throws `transcript_not_found`. */
export async function readJob(context: ServiceContext, jobId: string): Promise<JobReport> {
  const job = await readOperatedJob(context.pool, jobId);
  if (job === null) throw new ApiError("transcript_not_found", "No transcription job has this id.");
  const entries = await listJobEntries(context.pool, jobId);
  const estimate = isRunning(job.status)
    ? await estimateJob(context, context.pool, job)
    : { progress: jobProgress(job.stage, 0), etaSeconds: null };
  const { progress, etaSeconds } = estimate;
  return { job, progress, etaSeconds, rows: jobRows(entries), entries };
}
