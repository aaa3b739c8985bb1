import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { segmentsFromCues } from "../../domain/captions/segments.ts";
import { MediaFailure } from "../../domain/failureReasons.ts";
import type { Captions, MediaDescription, MediaSource } from "../../domain/media.ts";
import { isVideoId, type VideoId } from "../../domain/videoId.ts";
import type { AudioDecoder } from "../audio/ffmpeg.ts";
import { captionFormats, readCues } from "../captions/readCues.ts";

const extensions = ["wav", "mp3", "m4a", "mp4", "webm", "flac", "ogg", "opus", "mkv"];

const companionSchema = z.object({
  title: z.string().min(1).optional(),
  channel: z.object({ id: z.string().min(1), name: z.string().min(1) }).optional(),
  publishedAt: z.iso.datetime({ offset: true }).or(z.iso.date()).nullish(),
  language: z.string().min(2).nullish(),
});

const defaultChannel = { id: "local", name: "Local media" };

/**
 * Media in a folder of this machine: `<videoId>.wav` (or mp3, m4a, mp4, webm and others), and beside it an optional
 * `<videoId>.json` with title, channel, publishedAt and language, and optional captions `<videoId>.vtt` or `.srt`. A channel's videos are
 * those whose description names it. The files are only read.
 */
export function createFolderSource(folder: string, decoder: Pick<AudioDecoder, "probeDurationSeconds">): MediaSource {
  const root = path.resolve(folder);
  return {
    name: "folder",
    async describe(videoId, signal): Promise<MediaDescription> {
      const mediaPath = await findMedia(root, videoId);
      const companion = await readCompanion(root, videoId);
      return {
        videoId,
        title: companion.title ?? videoId,
        channel: companion.channel ?? defaultChannel,
        publishedAt: companion.publishedAt ? new Date(companion.publishedAt) : null,
        language: companion.language ?? null,
        durationSeconds: await decoder.probeDurationSeconds(mediaPath, signal),
      };
    },
    async fetchAudio(videoId, _workFolder, signal): Promise<string> {
      signal.throwIfAborted();
      return findMedia(root, videoId);
    },
    async captions(videoId): Promise<Captions | null> {
      await findMedia(root, videoId);
      const { language } = await readCompanion(root, videoId);
      for (const format of captionFormats) {
        const text = await readIfThere(path.join(root, `${videoId}.${format}`));
        if (text === null) continue;
        return { language: language ?? null, kind: "manual", segments: segmentsFromCues(readCues(text, format).cues) };
      }
      return null;
    },
    async channelVideos(channelId, limit, signal): Promise<VideoId[]> {
      const files = await readdir(root).catch(() => []);
      const videoIds = files.flatMap((file) => {
        const { name, ext } = path.parse(file);
        return extensions.includes(ext.slice(1)) && isVideoId(name) ? [name] : [];
      });
      const published = await Promise.all(
        [...new Set(videoIds)].map(async (videoId) => {
          signal.throwIfAborted();
          // A description that cannot be read is told by the video's own scan; here it belongs to no channel.
          const companion = await readCompanion(root, videoId).catch(() => null);
          const isOurs = companion !== null && (companion.channel ?? defaultChannel).id === channelId;
          return isOurs ? [{ videoId, at: await publishedMilliseconds(root, videoId, companion.publishedAt) }] : [];
        }),
      );
      const newestFirst = published.flat().toSorted((a, b) => b.at - a.at || (a.videoId < b.videoId ? -1 : 1));
      return newestFirst.slice(0, limit).map(({ videoId }) => videoId);
    },
  };
}

/** When it was published; of one whose description does not say, when its file came. */
async function publishedMilliseconds(
  root: string,
  videoId: VideoId,
  publishedAt: string | null | undefined,
): Promise<number> {
  if (publishedAt) return new Date(publishedAt).getTime();
  return (await stat(await findMedia(root, videoId))).mtimeMs;
}

/** The form of the id is checked here again: it becomes part of a path. */
async function findMedia(root: string, videoId: VideoId): Promise<string> {
  if (isVideoId(videoId)) {
    for (const extension of extensions) {
      const candidate = path.join(root, `${videoId}.${extension}`);
      const found = await stat(candidate).catch(() => null);
      if (found?.isFile()) return candidate;
    }
  }
  throw new MediaFailure("not_found", `no media file for ${JSON.stringify(videoId)} in the media folder`);
}

async function readCompanion(root: string, videoId: VideoId): Promise<z.infer<typeof companionSchema>> {
  const text = (await readIfThere(path.join(root, `${videoId}.json`))) ?? "{}";
  try {
    return companionSchema.parse(JSON.parse(text));
  } catch (error) {
    const cause = error instanceof z.ZodError ? z.prettifyError(error).replaceAll("\n", " ") : "not JSON";
    throw new MediaFailure("download_failed", `${videoId}.json does not describe the video: ${cause}`, {
      cause: error,
    });
  }
}

async function readIfThere(file: string): Promise<string | null> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}
