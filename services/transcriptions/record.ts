import { readWorkload, type TranscriptionJob } from "../../database/transcriptionJobs.ts";
import type { Queryable } from "../../database/pool.ts";
import { etaSeconds, nextPollSeconds } from "../../domain/eta.ts";
import type { FailureReason } from "../../domain/failureReasons.ts";
import {
  type CancelReason,
  isRunning,
  jobProgress,
  type JobStage,
  type JobStatus,
} from "../../domain/transcriptionJob.ts";
import type { ServiceContext } from "../context.ts";

/** A transcription as its account sees it. `progress` is 0 to 1; `etaSeconds` is 0 only once it has ended. */
export interface TranscriptionRecord {
  videoId: string;
  status: JobStatus;
  stage: JobStage;
  progress: number;
  etaSeconds: number;
  nextPollSeconds: number;
  rowsCharged: number;
  failureReason: FailureReason | null;
  cancelReason: CancelReason | null;
  createdAt: Date;
  completedAt: Date | null;
}

/** Shapes a job for an account: rows are shown to the one that pays, and the estimate is made from what is measured now. */
export async function transcriptionRecord(
  context: ServiceContext,
  db: Queryable,
  job: TranscriptionJob,
  accountId: string,
): Promise<TranscriptionRecord> {
  const estimate = isRunning(job.status)
    ? await estimateJob(context, db, job)
    : { progress: jobProgress(job.stage, 1), etaSeconds: 0, nextPollSeconds: 0 };
  return {
    videoId: job.videoId,
    status: job.status,
    stage: job.stage,
    ...estimate,
    rowsCharged: job.accountId === accountId ? job.heldRows : 0,
    failureReason: job.failureReason,
    cancelReason: job.cancelReason,
    createdAt: job.createdAt,
    completedAt: job.completedAt,
  };
}

/** Progress and time left of a running job. */
export async function estimateJob(
  context: ServiceContext,
  db: Queryable,
  job: TranscriptionJob,
): Promise<{ progress: number; etaSeconds: number; nextPollSeconds: number }> {
  const { assumedDurationSeconds, assumedSecondsPerAudioSecond, ...limits } = context.settings.transcription;
  const workload = await readWorkload(db, job, {
    durationSeconds: assumedDurationSeconds,
    secondsPerAudioSecond: assumedSecondsPerAudioSecond,
  });
  const eta = etaSeconds(workload);
  return {
    progress: jobProgress(job.stage, workload.recognisedShare),
    etaSeconds: eta,
    nextPollSeconds: nextPollSeconds(eta, limits),
  };
}
