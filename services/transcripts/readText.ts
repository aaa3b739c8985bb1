import { readSnapshot } from "../../database/pool.ts";
import {
  eachPlacedSegment,
  type PlacedSegment,
  readTextVersion,
  type SegmentSelection,
  type TextVersion,
} from "../../database/transcripts.ts";
import { contentHash } from "../../domain/contentHash.ts";
import { ApiError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";

export type { SegmentSelection, TextVersion };

/** A segment as it is served, with the anchor of corrections; seconds from the start of the video. */
export interface TranscriptSegment extends PlacedSegment {
  contentHash: string;
}

/**
 * Hands over a transcript's segments in order, a hundred at a time, so that the longest one holds up nobody, and returns which version of
 * the text they are: all of one, whatever is corrected meanwhile. Whether the caller may read them is the caller's to check. Throws
 * `transcript_not_found`.
 */
export async function readText(
  context: ServiceContext,
  videoId: string,
  selection: SegmentSelection,
  take: (segment: TranscriptSegment) => void,
): Promise<TextVersion> {
  return readSnapshot(context.pool, async (transaction) => {
    const version = await readTextVersion(transaction, videoId);
    if (version === null) throw new ApiError("transcript_not_found");
    await eachPlacedSegment(transaction, videoId, selection, (row) =>
      take({ ...row, contentHash: contentHash(row.text) }),
    );
    return version;
  });
}
