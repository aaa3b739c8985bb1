import { settleRows } from "../../database/ledger.ts";
import type { Transaction } from "../../database/pool.ts";
import { endJob, lockJob, type TranscriptionJob } from "../../database/transcriptionJobs.ts";
import type { FailureReason } from "../../domain/failureReasons.ts";
import { type CancelReason, isRunning } from "../../domain/transcriptionJob.ts";
import type { ServiceContext } from "../context.ts";

/** Ends a job without a transcript and gives the hold back. The caller holds the job's lock and has seen that it runs. */
export async function cancelAndRefund(
  transaction: Transaction,
  job: TranscriptionJob,
  reason: CancelReason,
): Promise<void> {
  await endJob(transaction, job.jobId, { status: "canceled", reason });
  await refundHold(transaction, job, `transcription canceled: ${reason}`);
}

/** Fails a job that is still running and refunds it in full; run twice, it does nothing the second time. */
export async function failTranscription(context: ServiceContext, jobId: string, reason: FailureReason): Promise<void> {
  await context.pool.transaction(async (transaction) => {
    const job = await lockJob(transaction, jobId);
    if (job === null || !isRunning(job.status)) return;
    await endJob(transaction, jobId, { status: "failed", reason });
    await refundHold(transaction, job, `transcription failed: ${reason}`);
  });
}

/** Cancels a job whose workflow was canceled by an operator; run twice, or after the API did it, it does nothing. */
export async function cancelRunningTranscription(context: ServiceContext, jobId: string): Promise<void> {
  await context.pool.transaction(async (transaction) => {
    const job = await lockJob(transaction, jobId);
    if (job === null || !isRunning(job.status)) return;
    await cancelAndRefund(transaction, job, "requested");
  });
}

async function refundHold(transaction: Transaction, job: TranscriptionJob, reason: string): Promise<void> {
  if (job.heldRows === 0) return;
  await settleRows(transaction, {
    accountId: job.accountId,
    period: job.heldPeriod,
    rows: -job.heldRows,
    kind: "refund",
    reason,
    subject: job.jobId,
    requestId: job.requestId,
  });
}
