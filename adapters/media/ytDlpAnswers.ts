import { z } from "zod";
import type { OfferedTrack } from "../../domain/captions/pickTrack.ts";
import { MediaFailure } from "../../domain/failureReasons.ts";
import type { MediaDescription } from "../../domain/media.ts";
import { isVideoId, type VideoId } from "../../domain/videoId.ts";
import { captionFormats } from "../captions/readCues.ts";
import { classifyReport, keyLines, reportedFailure } from "./ytDlpErrors.ts";

const text = z.string().min(1).nullish();
const number = z.number().nullish();
const tracks = z.record(z.string(), z.array(z.looseObject({ ext: text })).nullable()).nullish();

/** What is used of yt-dlp's description of a video (README of yt-dlp, "Output template": the names of its fields). */
const videoSchema = z.looseObject({
  title: text,
  channel: text,
  channel_id: text,
  uploader: text,
  uploader_id: text,
  timestamp: number,
  release_timestamp: number,
  upload_date: z
    .string()
    .regex(/^\d{8}$/)
    .nullish()
    .catch(null),
  duration: number,
  language: text,
  live_status: text,
  availability: text,
  formats: z.array(z.looseObject({ acodec: text, vcodec: text })).nullish(),
  subtitles: tracks,
  automatic_captions: tracks,
});
export type DescribedVideo = z.infer<typeof videoSchema>;

const entrySchema = z.looseObject({ id: text, live_status: text });
const feedSchema = z.looseObject({
  entries: z.array(
    z.looseObject({ ...entrySchema.shape, entries: z.array(entrySchema.nullable()).nullish() }).nullable(),
  ),
});

/** Values of yt-dlp's `live_status` and `availability` (extractor/common.py). */
const notRecordedYet = ["is_live", "is_upcoming", "post_live"];
const closed = ["private", "premium_only", "subscriber_only", "needs_auth"];

function readJson<T>(schema: z.ZodType<T>, what: string, json: string): T {
  try {
    return schema.parse(JSON.parse(json));
  } catch (error) {
    const cause = error instanceof z.ZodError ? z.prettifyError(error).replaceAll("\n", " ") : "not JSON";
    throw new MediaFailure("download_failed", `${what}: yt-dlp's answer is not understood: ${cause}`, { cause: error });
  }
}

/**
 * Reads the description of a video that can be listened to. One that cannot, because it is no recording yet, is closed to us or has no
 * sound, throws `MediaFailure` with the reason that yt-dlp's own words (`report`) or the description give.
 */
export function readVideo(what: string, json: string, report: string): DescribedVideo {
  const video = readJson(videoSchema, what, json);
  if (notRecordedYet.some((status) => status === video.live_status))
    throw new MediaFailure("live_or_upcoming", `${what}: ${video.live_status}`);
  const formats = video.formats ?? [];
  const media = formats.filter(({ acodec, vcodec }) => acodec !== "none" || vcodec !== "none");
  if (media.length === 0) throw withoutFormats(what, video, report);
  if (media.every(({ acodec }) => acodec === "none"))
    throw new MediaFailure("no_audio", `${what}: none of its ${media.length} formats has sound`);
  return video;
}

function withoutFormats(what: string, { availability }: DescribedVideo, fullReport: string): MediaFailure {
  // That none of its formats will do is what follows, not why.
  const report = fullReport.replaceAll(/^.*Requested format is not available.*$/gm, "");
  if (classifyReport(keyLines(report)) !== null) return reportedFailure(what, report);
  if (closed.some((state) => state === availability))
    return new MediaFailure("private", `${what}: availability is ${availability}`);
  return reportedFailure(what, report);
}

export function describedMedia(videoId: VideoId, video: DescribedVideo): MediaDescription {
  const channelId = video.channel_id ?? video.uploader_id ?? "unknown";
  return {
    videoId,
    title: video.title ?? videoId,
    channel: { id: channelId, name: video.channel ?? video.uploader ?? channelId },
    publishedAt: publishedAt(video),
    language: video.language ?? null,
    durationSeconds: video.duration ?? null,
  };
}

function publishedAt(video: DescribedVideo): Date | null {
  const seconds = video.release_timestamp ?? video.timestamp;
  if (seconds !== null && seconds !== undefined) return new Date(seconds * 1000);
  const day = /^(\d{4})(\d\d)(\d\d)$/.exec(video.upload_date ?? "");
  const date = day === null ? null : new Date(`${day[1]}-${day[2]}-${day[3]}T00:00:00Z`);
  return date === null || Number.isNaN(date.getTime()) ? null : date;
}

/** The tracks that come in a form that is read here. */
export function offeredTracks(video: DescribedVideo): OfferedTrack[] {
  return [...readableTracks(video.subtitles, "manual"), ...readableTracks(video.automatic_captions, "automatic")];
}

function readableTracks(offered: z.infer<typeof tracks>, kind: OfferedTrack["kind"]): OfferedTrack[] {
  return Object.entries(offered ?? {}).flatMap(([language, forms]) =>
    forms?.some(({ ext }) => captionFormats.some((format) => format === ext)) ? [{ kind, language }] : [],
  );
}

/** The videos of a channel's feed, in its order; what has not been broadcast yet comes later, when it has. */
export function readFeed(what: string, json: string): VideoId[] {
  const { entries } = readJson(feedSchema, what, json);
  const ids = entries
    .flatMap((entry) => entry?.entries ?? [entry])
    .flatMap((entry) => {
      const waits = entry?.live_status === "is_upcoming" || entry?.live_status === "is_live";
      return typeof entry?.id === "string" && isVideoId(entry.id) && !waits ? [entry.id] : [];
    });
  return [...new Set(ids)];
}
