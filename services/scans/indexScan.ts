import { readCaptionTrack } from "../../database/captionTracks.ts";
import type { Transaction } from "../../database/pool.ts";
import { completeScan, lockScan, readHeard } from "../../database/scans.ts";
import { readVideo } from "../../database/videos.ts";
import type { CaptionSegment } from "../../domain/captions/segments.ts";
import { MediaFailure } from "../../domain/failureReasons.ts";
import type { ScanRun, ScanSource } from "../../domain/scan.ts";
import type { ServiceContext } from "../context.ts";

/** What a scan found out of a video's words. */
export interface ScannedVideo {
  videoId: string;
  source: ScanSource;
  language: string | null;
  segments: readonly CaptionSegment[];
}

/** Writes the evidence of a scanned video, in the caller's transaction. Handed to `indexScan` by the worker. */
export type IndexScannedVideo = (transaction: Transaction, video: ScannedVideo) => Promise<void>;

/**
 * Completes a scan: what is known of the video's words, captions before what was heard, is kept and indexed in one transaction. Returns
 * null for a scan that has ended; throws `MediaFailure("no_speech")` where nobody says anything.
 */
export async function indexScan(
  context: ServiceContext,
  { videoId, run }: ScanRun,
  indexVideo: IndexScannedVideo | null,
): Promise<ScanSource | null> {
  return context.pool.transaction(async (transaction) => {
    const scan = await lockScan(transaction, videoId);
    if (scan?.run !== run || scan.status !== "running") return null;
    const found = await readFound(transaction, { videoId, run });
    if (found.segments.length === 0) throw new MediaFailure("no_speech", "neither captions nor speech");
    await indexVideo?.(transaction, found);
    await completeScan(transaction, videoId, {
      source: found.source,
      language: found.language,
      heard: found.source === "speech" ? found.segments : null,
      indexed: indexVideo !== null,
    });
    return found.source;
  });
}

async function readFound(transaction: Transaction, scan: ScanRun): Promise<ScannedVideo> {
  const { videoId } = scan;
  const captions = await readCaptionTrack(transaction, videoId);
  if (captions !== null)
    return { videoId, source: "captions", language: captions.language, segments: captions.segments };
  const video = await readVideo(transaction, videoId);
  return { videoId, source: "speech", language: video?.language ?? null, segments: await readHeard(transaction, scan) };
}
