import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { MediaFailure } from "../../domain/failureReasons.ts";
import type { MediaDescription, MediaSource } from "../../domain/media.ts";
import { isVideoId, type VideoId } from "../../domain/videoId.ts";
import type { AudioDecoder } from "../audio/ffmpeg.ts";

const extensions = ["wav", "mp3", "m4a", "mp4", "webm", "flac", "ogg", "opus", "mkv"];

const companionSchema = z.object({
  title: z.string().min(1).optional(),
  channel: z.object({ id: z.string().min(1), name: z.string().min(1) }).optional(),
  publishedAt: z.iso.datetime({ offset: true }).or(z.iso.date()).nullish(),
  language: z.string().min(2).nullish(),
});

/**
 * Media in a folder of this machine: `<videoId>.wav` (or mp3, m4a, mp4, webm and others), and beside it an optional
 * `<videoId>.json` with title, channel, publishedAt and language. The files are only read.
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
        channel: companion.channel ?? { id: "local", name: "Local media" },
        publishedAt: companion.publishedAt ? new Date(companion.publishedAt) : null,
        language: companion.language ?? null,
        durationSeconds: await decoder.probeDurationSeconds(mediaPath, signal),
      };
    },
    async fetchAudio(videoId, _workFolder, signal): Promise<string> {
      signal.throwIfAborted();
      return findMedia(root, videoId);
    },
  };
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
  const file = path.join(root, `${videoId}.json`);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw error;
  });
  try {
    return companionSchema.parse(JSON.parse(text));
  } catch (error) {
    const cause = error instanceof z.ZodError ? z.prettifyError(error).replaceAll("\n", " ") : "not JSON";
    throw new MediaFailure("download_failed", `${videoId}.json does not describe the video: ${cause}`, {
      cause: error,
    });
  }
}
