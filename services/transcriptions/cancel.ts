import { insertOutbox } from "../../database/outbox.ts";
import type { Transaction } from "../../database/pool.ts";
import {
  deleteRequest,
  lockJob,
  readJob,
  readRequestedJob,
  type TranscriptionJob,
} from "../../database/transcriptionJobs.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { cancelAndRefund } from "./end.ts";
import { type TranscriptionRecord, transcriptionRecord } from "./record.ts";

/**
 * Cancels the account's transcription and refunds it in full, at once; the workflow learns of it through the outbox. An account that
 * joined somebody else's job only leaves it. Repeating it answers the same. Throws `transcript_not_found`, or
 * `illegal_transition` once the job has completed or failed.
 */
export async function cancelTranscription(
  context: ServiceContext,
  transaction: Transaction,
  caller: Caller,
  videoId: string,
): Promise<TranscriptionRecord> {
  const requested = await readRequestedJob(transaction, caller.accountId, videoId);
  const job = requested && (await lockJob(transaction, requested.jobId));
  if (job === null) throw new ApiError("transcript_not_found");
  switch (job.status) {
    case "canceled":
      return transcriptionRecord(context, transaction, job, caller.accountId);
    case "completed":
    case "failed":
      throw new ApiError("illegal_transition", `The transcription is ${job.status} and cannot be canceled.`);
    case "queued":
    case "processing":
      return job.accountId === caller.accountId
        ? cancelOwn(context, transaction, job)
        : leave(context, transaction, caller, job);
  }
}

async function cancelOwn(
  context: ServiceContext,
  transaction: Transaction,
  job: TranscriptionJob,
): Promise<TranscriptionRecord> {
  await cancelAndRefund(transaction, job, "requested");
  await insertOutbox(transaction, "transcription.cancel", job.jobId);
  const canceled = await readJob(transaction, job.jobId);
  return transcriptionRecord(context, transaction, canceled ?? job, job.accountId);
}

async function leave(
  context: ServiceContext,
  transaction: Transaction,
  caller: Caller,
  job: TranscriptionJob,
): Promise<TranscriptionRecord> {
  await deleteRequest(transaction, caller.accountId, job.videoId);
  const left: TranscriptionJob = {
    ...job,
    status: "canceled",
    cancelReason: "requested",
    completedAt: context.clock(),
  };
  return transcriptionRecord(context, transaction, left, caller.accountId);
}
