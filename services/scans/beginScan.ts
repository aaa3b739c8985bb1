import { readCaptionSource } from "../../database/captionTracks.ts";
import { startScan } from "../../database/scans.ts";
import { readTranscriptJobId } from "../../database/transcripts.ts";
import type { ScanRun } from "../../domain/scan.ts";
import type { ServiceContext } from "../context.ts";

/**
 * What a scan has to begin with: nothing is wanted of it any more (`superseded`), words that need no media source, those of a transcript or
 * of imported captions (`known`), or only the video's id (`unknown`). Safe to run twice.
 */
export async function beginScan(context: ServiceContext, scan: ScanRun): Promise<"superseded" | "known" | "unknown"> {
  if (!(await startScan(context.pool, scan))) return "superseded";
  if ((await readTranscriptJobId(context.pool, scan.videoId)) !== null) return "known";
  return (await readCaptionSource(context.pool, scan.videoId)) === "import" ? "known" : "unknown";
}
