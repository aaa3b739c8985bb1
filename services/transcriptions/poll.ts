import { readRequestedJob } from "../../database/transcriptionJobs.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { type TranscriptionRecord, transcriptionRecord } from "./record.ts";

/** The state of a transcription that the account asked for or joined; reads Postgres only. Throws `transcript_not_found`. */
export async function pollTranscription(
  context: ServiceContext,
  caller: Caller,
  videoId: string,
): Promise<TranscriptionRecord> {
  const job = await readRequestedJob(context.pool, caller.accountId, videoId);
  if (job === null) throw new ApiError("transcript_not_found");
  return transcriptionRecord(context, context.pool, job, caller.accountId);
}
