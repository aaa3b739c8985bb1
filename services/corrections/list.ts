import { type CorrectionRecord, listCorrections } from "../../database/corrections.ts";
import { readSegmentChange } from "../../database/transcriptParts.ts";
import { readTranscriptHead } from "../../database/transcripts.ts";
import type { Segment } from "../../domain/corrections/types.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Caller, ServiceContext } from "../context.ts";

/** A correction with the segments as they were before it and after it. */
export interface LoggedCorrection extends CorrectionRecord {
  before: readonly Segment[];
  after: readonly Segment[];
}

/** A page of a transcript's corrections, newest first. Throws `transcript_not_found` and `transcript_locked`. */
export async function listTranscriptCorrections(
  { pool }: ServiceContext,
  caller: Caller,
  videoId: string,
  { limit, beforeSeq }: { limit: number; beforeSeq: number | null },
): Promise<{ corrections: LoggedCorrection[]; hasMore: boolean }> {
  const head = await readTranscriptHead(pool, videoId, caller.accountId);
  if (head === null) throw new ApiError("transcript_not_found");
  if (head.unlockedAt === null) throw new ApiError("transcript_locked");
  const found = await listCorrections(pool, videoId, { beforeSeq, limit: limit + 1 });
  const corrections: LoggedCorrection[] = [];
  for (const record of found.slice(0, limit))
    corrections.push({ ...record, ...(await readSegmentChange(pool, videoId, record.seq)) });
  return { corrections, hasMore: found.length > limit };
}
