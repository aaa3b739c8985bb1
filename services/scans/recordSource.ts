import { type CaptionTrack, upsertCaptionTrack } from "../../database/captionTracks.ts";
import { readVideo } from "../../database/videos.ts";
import type { MediaDescription } from "../../domain/media.ts";
import { recordDescribedVideo } from "../channels/recordDescribedVideo.ts";
import type { ServiceContext } from "../context.ts";

/** Records what a media source says of a video that is scanned. Safe to run twice. */
export async function recordScannedVideo(
  context: ServiceContext,
  media: MediaDescription,
  source: string,
): Promise<void> {
  await context.pool.transaction((transaction) => recordDescribedVideo(context, transaction, media, source));
}

/** The language and length of a video, as far as they are known. */
export async function readKnown(
  context: ServiceContext,
  videoId: string,
): Promise<{ language: string | null; durationSeconds: number | null }> {
  const video = await readVideo(context.pool, videoId);
  return { language: video?.language ?? null, durationSeconds: video?.durationSeconds ?? null };
}

/** Keeps the captions that the media source has of a video. Safe to run twice. */
export async function recordCaptions(context: ServiceContext, videoId: string, track: CaptionTrack): Promise<void> {
  await upsertCaptionTrack(context.pool, videoId, track);
}
