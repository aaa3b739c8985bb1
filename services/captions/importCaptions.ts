import { upsertCaptionTrack } from "../../database/captionTracks.ts";
import { readVideo } from "../../database/videos.ts";
import type { CaptionCue } from "../../domain/captions/cues.ts";
import { segmentsFromCues } from "../../domain/captions/segments.ts";
import type { ServiceContext } from "../context.ts";
import { requestScan } from "../scans/requestScan.ts";

export interface ImportCaptionsInput {
  videoId: string;
  cues: readonly CaptionCue[];
  /** BCP 47; unset: the video's. */
  language?: string | undefined;
}

/** How many segments were new, or came in place of others; `unchanged`: they were there already. */
export type CaptionsImport =
  | { outcome: "imported"; segments: number }
  | { outcome: "updated"; segments: number }
  | { outcome: "unchanged" }
  | { outcome: "no video" }
  | { outcome: "no speech" };

/**
 * Keeps a video's captions in place of any others, and asks for a scan, so that what is said there is found: all in one transaction.
 * The video must be known. A file in which nobody speaks, or that is there
 * already, changes nothing.
 */
export async function importCaptions(context: ServiceContext, input: ImportCaptionsInput): Promise<CaptionsImport> {
  const segments = segmentsFromCues(input.cues);
  return context.pool.transaction(async (transaction): Promise<CaptionsImport> => {
    const video = await readVideo(transaction, input.videoId);
    if (video === null) return { outcome: "no video" };
    if (segments.length === 0) return { outcome: "no speech" };
    const language = input.language ?? video.language;
    const stored = await upsertCaptionTrack(transaction, input.videoId, { language, source: "import", segments });
    if (stored === "kept") return { outcome: "unchanged" };
    await requestScan(transaction, input.videoId);
    return { outcome: stored === "inserted" ? "imported" : "updated", segments: segments.length };
  });
}
