import { readCaptionSource } from "../../database/captionTracks.ts";
import { startScan } from "../../database/scans.ts";
import { readTranscriptJobId } from "../../database/transcripts.ts";
import type { ScanRun } from "../../domain/scan.ts";
import type { ServiceContext } from "../context.ts";
import { dropScan } from "./endScan.ts";

/**
 * What a scan has to begin with: nothing is wanted of it any more (`superseded`), captions that were imported and serve without the
 * media source (`captions`), or only the video's id (`unknown`). Safe to run twice.
 */
export async function beginScan(
  context: ServiceContext,
  scan: ScanRun,
): Promise<"superseded" | "captions" | "unknown"> {
  if (!(await startScan(context.pool, scan))) return "superseded";
  if ((await readTranscriptJobId(context.pool, scan.videoId)) !== null) {
    await dropScan(context, scan);
    return "superseded";
  }
  return (await readCaptionSource(context.pool, scan.videoId)) === "import" ? "captions" : "unknown";
}
