import { insertOutbox } from "../../database/outbox.ts";
import type { Transaction } from "../../database/pool.ts";
import {
  insertJob,
  readJob,
  readRunningJob,
  type TranscriptionJob,
  upsertRequest,
} from "../../database/transcriptionJobs.ts";
import { readTranscriptJobId } from "../../database/transcripts.ts";
import { insertVideoStub, readVideo } from "../../database/videos.ts";
import { InsufficientRows } from "../../domain/bareRefusals.ts";
import { newId } from "../../domain/ids.ts";
import { generationRows, type Quote } from "../../domain/prices.ts";
import type { JobPriority } from "../../domain/transcriptionJob.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { chargeRows, readRowAccount } from "../usage/rowAccount.ts";
import { generationQuote } from "./quote.ts";
import { type TranscriptionRecord, transcriptionRecord } from "./record.ts";

export interface SubmitTranscriptionInput {
  videoId: string;
  language?: string | undefined;
  priority?: JobPriority | undefined;
}

export interface Submission {
  record: TranscriptionRecord;
  /** What this very request held; 0 for one that joined. */
  heldRows: number;
}

/**
 * Asks for a video's transcript: joins the running job or the finished transcript where there is one, free of charge; otherwise holds the
 * price (one block while the length is unknown) and queues a job, whose start waits in the outbox for the commit.
 * Throws `InsufficientRows<Quote>` when the account cannot pay.
 */
export async function submitTranscription(
  context: ServiceContext,
  transaction: Transaction,
  caller: Caller,
  input: SubmitTranscriptionInput,
): Promise<Submission> {
  await insertVideoStub(transaction, input.videoId);
  const shared = await readSharedJob(transaction, input.videoId);
  const { job, heldRows } =
    shared === null ? await startJob(context, transaction, caller, input) : { job: shared, heldRows: 0 };
  await upsertRequest(transaction, caller.accountId, job);
  return { record: await transcriptionRecord(context, transaction, job, caller.accountId), heldRows };
}

/** The job whose result serves everybody: the one that made the transcript, or the one that is running. */
async function readSharedJob(transaction: Transaction, videoId: string): Promise<TranscriptionJob | null> {
  const finishedJobId = await readTranscriptJobId(transaction, videoId);
  return finishedJobId === null ? readRunningJob(transaction, videoId) : readJob(transaction, finishedJobId);
}

async function startJob(
  context: ServiceContext,
  transaction: Transaction,
  caller: Caller,
  input: SubmitTranscriptionInput,
): Promise<{ job: TranscriptionJob; heldRows: number }> {
  const account = await readRowAccount(context, transaction, caller.accountId);
  const video = await readVideo(transaction, input.videoId);
  const durationSeconds = video?.durationSeconds ?? null;
  const rows = generationRows(durationSeconds, context.settings.prices);
  const job = await insertJob(transaction, {
    jobId: newId("transcriptionJob"),
    videoId: input.videoId,
    accountId: caller.accountId,
    language: input.language ?? null,
    priority: input.priority ?? "normal",
    heldRows: rows,
    heldPeriod: account.period,
    durationSeconds,
    requestId: caller.requestId,
  });
  if (job === null) return { job: await joinRacingJob(transaction, input.videoId), heldRows: 0 };
  const paid = await chargeRows(transaction, account, {
    rows,
    kind: "hold",
    reason: "transcription",
    subject: job.jobId,
    requestId: caller.requestId,
  });
  if (!paid) {
    // Read anew: a purchase that came first is what left too little.
    const left = await readRowAccount(context, transaction, caller.accountId);
    throw new InsufficientRows<Quote>(generationQuote(context, left, durationSeconds));
  }
  await insertOutbox(transaction, "transcription.start", job.jobId);
  return { job, heldRows: rows };
}

/** Another request queued the job between our look and our insert. */
async function joinRacingJob(transaction: Transaction, videoId: string): Promise<TranscriptionJob> {
  const job = await readSharedJob(transaction, videoId);
  if (job === null) throw new Error("a racing transcription job ended within one statement");
  return job;
}
