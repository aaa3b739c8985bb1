import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type OfferedTrack, pickTrack } from "../../domain/captions/pickTrack.ts";
import { segmentsFromCues } from "../../domain/captions/segments.ts";
import { isChannelId } from "../../domain/channels.ts";
import { MediaFailure } from "../../domain/failureReasons.ts";
import type { Captions, MediaSource } from "../../domain/media.ts";
import { isVideoId, type VideoId } from "../../domain/videoId.ts";
import { captionFormats, readCues } from "../captions/readCues.ts";
import { describedMedia, offeredTracks, readFeed, readVideo } from "./ytDlpAnswers.ts";
import { reportedFailure } from "./ytDlpErrors.ts";
import { runYtDlp, type YtDlp } from "./ytDlpProcess.ts";

export interface YtDlpSourceOptions extends YtDlp {
  /** Address of a video's page; {video_id} is filled in. */
  videoUrl: string;
  /** Address of a channel's feed, newest first; {channel_id} is filled in. */
  channelUrl: string;
}

/** A channel without recordings says so with an error. */
const emptyFeed = /does not have an? \w+ tab|has no videos|no videos found/i;

/**
 * The video platform itself, through yt-dlp (https://github.com/yt-dlp/yt-dlp). What it says when it cannot is told apart by
 * `ytDlpErrors.ts`; a network that fails, or a platform that asks to slow down, is `download_failed` and may be tried again.
 */
export function createYtDlpSource(options: YtDlpSourceOptions): MediaSource {
  const videoUrl = (videoId: VideoId) => {
    if (!isVideoId(videoId)) throw new MediaFailure("not_found", `${JSON.stringify(videoId)} is no video id`);
    return options.videoUrl.replaceAll("{video_id}", videoId);
  };
  const describe = async (videoId: VideoId, signal: AbortSignal) => {
    // Without formats it still tells what it knows, which is how a coming broadcast is known from a removed video.
    const args = ["-J", "--no-playlist", "--ignore-no-formats-error", "-f", "ba/b", "--", videoUrl(videoId)];
    const { exitCode, stdout, report } = await runYtDlp(options, { args, signal });
    if (exitCode !== 0) throw reportedFailure(videoId, report);
    return { json: stdout, video: readVideo(videoId, stdout, report) };
  };

  return {
    name: "yt-dlp",

    async describe(videoId, signal) {
      return describedMedia(videoId, (await describe(videoId, signal)).video);
    },

    async fetchAudio(videoId, workFolder, signal, onProgress) {
      // A folder for each try, so that one that was left behind by a killed worker is not written to by two.
      await mkdir(workFolder, { recursive: true });
      const folder = await mkdtemp(path.join(workFolder, "fetched-"));
      const progress =
        "download:fetched %(progress.downloaded_bytes)s of %(progress.total_bytes,progress.total_bytes_estimate)s";
      const args = ["-f", "ba/b", "-o", "audio.%(ext)s", "--no-playlist", "--fixup", "never", "--no-mtime"];
      const reporting = ["--progress", "--newline", "--progress-delta", "1", "--progress-template", progress];
      // A broadcast would be fetched until it ends.
      const guard = ["--match-filters", "live_status!=?is_live", "--no-live-from-start"];
      const onLine = (line: string) => {
        const [, done, all] = /^fetched (\d+)(?:\.\d+)? of (\d+)(?:\.\d+)?$/.exec(line) ?? [];
        if (done !== undefined && Number(all) > 0) onProgress?.(Math.min(1, Number(done) / Number(all)));
      };
      try {
        const { exitCode, report } = await runYtDlp(options, {
          args: [...args, ...reporting, ...guard, "--", videoUrl(videoId)],
          folder,
          signal,
          onLine,
        });
        if (exitCode !== 0) throw reportedFailure(videoId, report);
        const file = (await readdir(folder)).find((name) => /^audio\.[A-Za-z0-9]+$/.test(name));
        if (file === undefined) throw new MediaFailure("live_or_upcoming", `${videoId}: there is no recording yet`);
        return path.join(folder, file);
      } catch (error) {
        await rm(folder, { recursive: true, force: true });
        throw error;
      }
    },

    async captions(videoId, language, signal) {
      const { json, video } = await describe(videoId, signal);
      const track = pickTrack(offeredTracks(video), language ?? video.language ?? null);
      return track === null ? null : fetchTrack(options, { videoId, json, track, signal });
    },

    async channelVideos(channelId, limit, signal) {
      if (!isChannelId(channelId)) throw new MediaFailure("not_found", `${JSON.stringify(channelId)} is no channel id`);
      const url = options.channelUrl.replaceAll("{channel_id}", channelId);
      const args = ["-J", "--flat-playlist", "--playlist-items", `1:${limit}`, "--", url];
      const { exitCode, stdout, report } = await runYtDlp(options, { args, signal });
      if (exitCode === 0) return readFeed(channelId, stdout).slice(0, limit);
      if (emptyFeed.test(report)) return [];
      throw reportedFailure(channelId, report);
    },
  };
}

/** Fetches one track by the description that is at hand, and reads it. */
async function fetchTrack(
  ytDlp: YtDlp,
  { videoId, json, track, signal }: { videoId: VideoId; json: string; track: OfferedTrack; signal: AbortSignal },
): Promise<Captions> {
  const folder = await mkdtemp(path.join(tmpdir(), "media-index-captions-"));
  try {
    await writeFile(path.join(folder, "description.json"), json);
    // The language is a pattern to yt-dlp.
    const language = track.language.replaceAll(/[^A-Za-z0-9_-]/g, String.raw`\$&`);
    const which = track.kind === "manual" ? "--write-subs" : "--write-auto-subs";
    const wanted = [which, "--sub-langs", language, "--sub-format", captionFormats.join("/"), "-o", "track.%(ext)s"];
    const { exitCode, report } = await runYtDlp(ytDlp, {
      args: [
        "--load-info-json",
        "description.json",
        "--skip-download",
        "--ignore-no-formats-error",
        "-f",
        "ba/b",
        ...wanted,
      ],
      folder,
      signal,
      onLine: () => undefined,
    });
    if (exitCode !== 0) throw reportedFailure(`captions of ${videoId}`, report);
    const files = await readdir(folder);
    for (const format of captionFormats) {
      const file = files.find((name) => name.startsWith("track.") && name.endsWith(`.${format}`));
      if (file === undefined) continue;
      const { cues } = readCues(await readFile(path.join(folder, file), "utf8"), format);
      return { language: track.language.replace(/-orig$/, ""), kind: track.kind, segments: segmentsFromCues(cues) };
    }
    throw new MediaFailure("download_failed", `captions of ${videoId}: yt-dlp wrote none`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
