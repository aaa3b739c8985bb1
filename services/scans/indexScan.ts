import { readCaptionTrack } from "../../database/captionTracks.ts";
import { lockTranscript } from "../../database/corrections.ts";
import type { Transaction } from "../../database/pool.ts";
import { completeScan, lockScan, readHeard } from "../../database/scans.ts";
import { readSpeakers } from "../../database/transcriptSpeakers.ts";
import { readAllSegments } from "../../database/transcriptParts.ts";
import { readVideo } from "../../database/videos.ts";
import type { CaptionSegment } from "../../domain/captions/segments.ts";
import type { Gazetteer } from "../../domain/detection/gazetteer.ts";
import { MediaFailure } from "../../domain/failureReasons.ts";
import type { ScanRun, ScanSource } from "../../domain/scan.ts";
import type { ServiceContext } from "../context.ts";
import { indexVideo, type VideoText } from "../indexing/indexVideo.ts";
import { spokenCaptions, spokenSegments } from "../indexing/spokenSegments.ts";

/** The words of a video, the best that there are, and what of them only this scan knows. */
interface FoundWords {
  text: VideoText;
  language: string | null;
  heard: readonly CaptionSegment[] | null;
}

/**
 * Completes a scan: the video is indexed anew from its transcript, else from captions, else from what was heard, which is kept, all in one
 * transaction. Returns null for a scan that has ended; throws `MediaFailure("no_speech")` where nobody says anything.
 */
export async function indexScan(
  context: ServiceContext,
  names: Gazetteer,
  { videoId, run }: ScanRun,
): Promise<ScanSource | null> {
  return context.pool.transaction(async (transaction) => {
    const scan = await lockScan(transaction, videoId);
    if (scan?.run !== run || scan.status !== "running") return null;
    const { text, language, heard } = await readWords(transaction, { videoId, run });
    if (text.segments.length === 0) throw new MediaFailure("no_speech", "neither captions nor speech");
    await indexVideo(transaction, names, text);
    await completeScan(transaction, videoId, { source: text.source, language, heard });
    return text.source;
  });
}

async function readWords(transaction: Transaction, scan: ScanRun): Promise<FoundWords> {
  const { videoId } = scan;
  const language = (await readVideo(transaction, videoId))?.language ?? null;
  // Held, as corrections hold it: one that came between the text and its evidence would leave the evidence of the old text behind.
  const transcript = await lockTranscript(transaction, videoId, null);
  if (transcript !== null) {
    const speakers = await readSpeakers(transaction, videoId);
    const segments = spokenSegments(await readAllSegments(transaction, videoId), speakers);
    return {
      text: { videoId, source: "speech", transcriptRevision: transcript.revision, segments, speakers },
      language,
      heard: null,
    };
  }
  const captions = await readCaptionTrack(transaction, videoId);
  if (captions !== null) {
    const segments = spokenCaptions(captions.segments);
    return {
      text: { videoId, source: "captions", transcriptRevision: null, segments },
      language: captions.language,
      heard: null,
    };
  }
  const heard = await readHeard(transaction, scan);
  return {
    text: { videoId, source: "speech", transcriptRevision: null, segments: spokenCaptions(heard) },
    language,
    heard,
  };
}
