import { listRequestedJobs, type RequestPosition } from "../../database/transcriptionJobs.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { type TranscriptionRecord, transcriptionRecord } from "./record.ts";

export interface TranscriptionPage {
  records: TranscriptionRecord[];
  hasMore: boolean;
  last: RequestPosition | null;
}

/** The account's transcriptions, newest request first, after a position. */
export async function listTranscriptions(
  context: ServiceContext,
  caller: Caller,
  page: { limit: number; after: RequestPosition | null },
): Promise<TranscriptionPage> {
  const found = await listRequestedJobs(context.pool, caller.accountId, page.limit + 1, page.after);
  const shown = found.slice(0, page.limit);
  const records = await Promise.all(
    shown.map(({ job }) => transcriptionRecord(context, context.pool, job, caller.accountId)),
  );
  return { records, hasMore: found.length > page.limit, last: shown.at(-1)?.position ?? null };
}
