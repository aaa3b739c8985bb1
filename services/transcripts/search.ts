import { eachSegment, readTranscriptHead, type TranscriptSegmentRow } from "../../database/transcripts.ts";
import { contentHash } from "../../domain/contentHash.ts";
import { ApiError } from "../../domain/errors.ts";
import { unlockRows } from "../../domain/prices.ts";
import { type SearchPhrase, type SegmentHit, TranscriptSearch } from "../../domain/transcriptSearch.ts";
import type { Caller, ServiceContext } from "../context.ts";
import type { TranscriptSegment } from "./readText.ts";

export type FoundSegment = SegmentHit<Omit<TranscriptSegment, "places" | "words" | "speakerLabel">>;

/** The last hit of a page. */
export interface HitPosition {
  segmentId: string;
  startSeconds: number;
}

export interface TranscriptSearchQuery {
  phrases: readonly SearchPhrase[];
  limit: number;
  after: HitPosition | null;
}

/**
 * The segments of a transcript in which all phrases occur, in their order, and how many there are in all. Takes no more than a read of the
 * text, and holds up nobody. Throws `transcript_not_found` and, of a text that the account has not unlocked, `transcript_locked`: even the
 * number of hits would let it be guessed word by word.
 */
export async function searchTranscript(
  context: ServiceContext,
  caller: Caller,
  videoId: string,
  { phrases, limit, after }: TranscriptSearchQuery,
): Promise<{ hits: FoundSegment[]; total: number; next: HitPosition | null }> {
  await requireUnlocked(context, caller, videoId);
  const search = new TranscriptSearch<TranscriptSegmentRow>(phrases);
  const found: SegmentHit<TranscriptSegmentRow>[] = [];
  await eachSegment(context.pool, videoId, (segment) => found.push(...search.take(segment)));
  found.push(...search.end());
  const start = after === null ? 0 : startAfter(found, after);
  const page = found.slice(start, start + limit);
  const last = page.at(-1);
  return {
    hits: page.map(served),
    total: found.length,
    next: last === undefined || start + limit >= found.length ? null : positionOf(last),
  };
}

async function requireUnlocked(context: ServiceContext, caller: Caller, videoId: string): Promise<void> {
  const head = await readTranscriptHead(context.pool, videoId, caller.accountId);
  if (head === null) throw new ApiError("transcript_not_found", "There is no transcript of this video to search.");
  if (head.unlockedAt !== null) return;
  const rows = unlockRows(head.durationSeconds, context.settings.prices);
  throw new ApiError(
    "transcript_locked",
    `Only an unlocked transcript can be searched; read it with \`unlock=true\`, once, for ${rows} rows.`,
  );
}

/** Behind the hit that was the last one; where a correction has taken it away, behind where it was. */
function startAfter(
  found: readonly SegmentHit<TranscriptSegmentRow>[],
  { segmentId, startSeconds }: HitPosition,
): number {
  const last = found.findIndex(({ segment }) => segment.id === segmentId);
  if (last >= 0) return last + 1;
  const next = found.findIndex(({ segment }) => segment.startSeconds > startSeconds);
  return next < 0 ? found.length : next;
}

function positionOf({ segment }: SegmentHit<TranscriptSegmentRow>): HitPosition {
  return { segmentId: segment.id, startSeconds: segment.startSeconds };
}

function served({ segment, highlights }: SegmentHit<TranscriptSegmentRow>): FoundSegment {
  const { words: _, ...row } = segment;
  return { segment: { ...row, contentHash: contentHash(row.text) }, highlights };
}
