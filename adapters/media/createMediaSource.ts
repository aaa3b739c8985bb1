import type { Configuration } from "../../domain/configuration.ts";
import type { MediaSource } from "../../domain/media.ts";
import type { AudioDecoder } from "../audio/ffmpeg.ts";
import { createFolderSource } from "./folderSource.ts";
import { createYtDlpSource } from "./ytDlpSource.ts";

/** The media source that MEDIA_SOURCE names; `pythonPath` is a Python that has the packages of requirements.txt. */
export function createMediaSource(
  configuration: Configuration,
  parts: { decoder: AudioDecoder; pythonPath: string },
): MediaSource {
  const { settings, mediaFolder, ytDlpOptions } = configuration;
  switch (configuration.MEDIA_SOURCE) {
    case "folder":
      return createFolderSource(mediaFolder, parts.decoder);
    case "yt-dlp":
      return createYtDlpSource({
        pythonPath: parts.pythonPath,
        options: ytDlpOptions,
        videoUrl: settings.videoUrl,
        channelUrl: settings.channelFeedUrl,
      });
  }
}
