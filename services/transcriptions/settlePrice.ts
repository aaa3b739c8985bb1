import { debitRows, settleRows } from "../../database/ledger.ts";
import type { Transaction } from "../../database/pool.ts";
import { lockJob, updateHold } from "../../database/transcriptionJobs.ts";
import { updateDuration } from "../../database/videos.ts";
import type { MediaDescription } from "../../domain/media.ts";
import { generationRows } from "../../domain/prices.ts";
import { isRunning } from "../../domain/transcriptionJob.ts";
import type { ServiceContext } from "../context.ts";
import { recordDescribedVideo } from "../channels/recordDescribedVideo.ts";
import { readRowAccount } from "../usage/rowAccount.ts";
import { cancelAndRefund } from "./end.ts";

export type PriceSettlement = "covered" | "insufficient_rows" | "ended";

/** Records what the source says of the job's video and its channel, and brings the hold to the price of its length, or of one block where that is not known yet. Safe to run twice. */
export async function recordDescription(
  context: ServiceContext,
  jobId: string,
  media: MediaDescription,
  source: string,
): Promise<PriceSettlement> {
  return context.pool.transaction(async (transaction) => {
    await recordDescribedVideo(context, transaction, media, source);
    return settle(context, transaction, jobId, media.durationSeconds);
  });
}

/** Brings the hold to the price of the length that decoding found, whatever the source had said. Safe to run twice. */
export async function recordDecodedLength(
  context: ServiceContext,
  jobId: string,
  durationSeconds: number,
): Promise<PriceSettlement> {
  return context.pool.transaction(async (transaction) => {
    const settlement = await settle(context, transaction, jobId, durationSeconds);
    if (settlement === "covered") await updateDuration(transaction, jobId, durationSeconds);
    return settlement;
  });
}

/** More is debited and less is given back, in the month the hold was taken in; a pool that does not cover it cancels the job. */
async function settle(
  context: ServiceContext,
  transaction: Transaction,
  jobId: string,
  durationSeconds: number | null,
): Promise<PriceSettlement> {
  const job = await lockJob(transaction, jobId);
  if (job === null || !isRunning(job.status)) return "ended";
  const price = generationRows(durationSeconds, context.settings.prices);
  const difference = price - job.heldRows;
  const entry = {
    accountId: job.accountId,
    period: job.heldPeriod,
    rows: difference,
    reason: "transcription length known",
    subject: jobId,
    requestId: job.requestId,
  };
  if (difference > 0) {
    const { allowance } = await readRowAccount(context, transaction, job.accountId);
    if (!(await debitRows(transaction, { ...entry, kind: "hold" }, allowance))) {
      await cancelAndRefund(transaction, job, "insufficient_rows");
      return "insufficient_rows";
    }
  } else if (difference < 0) {
    await settleRows(transaction, { ...entry, kind: "refund" });
  }
  await updateHold(transaction, jobId, price, durationSeconds);
  return "covered";
}
