import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import path from "node:path";
import { testEnvironment } from "../environment/addresses.ts";
import type { YtDlpSourceOptions } from "../../adapters/media/ytDlpSource.ts";

export interface PlatformVideo {
  title?: string;
  channel?: { id: string; name: string };
  timestamp?: number;
  durationSeconds?: number;
  language?: string;
  liveStatus?: string;
  /** The recording; none: the description has no formats. */
  media?: Buffer;
  /** How it is offered, where not as a plain audio file. */
  formats?: object[];
  captions?: { kind: "manual" | "automatic"; language: string; vtt: string }[];
  /** What the platform says instead of a recording, as yt-dlp's extractors pass it on. */
  refusal?: string;
  geo?: string[];
  error?: string;
}

export interface VideoPlatform {
  origin: string;
  /** Paths asked for so far. */
  asked: string[];
  videos: Map<string, PlatformVideo>;
  /** Ids of a channel's videos, newest first; a text is what it says instead. */
  feeds: Map<string, (string | { id: string; live_status: string })[] | string>;
  /** Answers instead of the platform; false lets it answer. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  source: YtDlpSourceOptions;
  close(): Promise<void>;
}

/** Where yt-dlp finds the extractor of this platform. */
export const platformPlugins = path.resolve(import.meta.dirname, "../media/platform");

/** A video platform on loopback, which yt-dlp reads by a plug-in as it reads any other. */
export async function startVideoPlatform(): Promise<VideoPlatform> {
  const server = createServer((request, response) => {
    platform.asked.push(request.url ?? "");
    if (!platform.intercept(request, response)) answer(platform, request.url ?? "", response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const platform: VideoPlatform = {
    origin,
    asked: [],
    videos: new Map(),
    feeds: new Map(),
    intercept: () => false,
    source: {
      pythonPath: testEnvironment().python,
      options: ["--plugin-dirs", platformPlugins],
      videoUrl: `${origin}/watch?v={video_id}`,
      channelUrl: `${origin}/channel/{channel_id}/videos`,
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return platform;
}

function answer(platform: VideoPlatform, url: string, response: ServerResponse): void {
  const [, kind = "", ...rest] = url.split("/");
  const [area = "", id = "", language = ""] = kind === "api" ? rest : [kind, ...rest];
  const video = platform.videos.get(id);
  const feed = platform.feeds.get(id);
  if (area === "videos" && video !== undefined) return json(response, description(platform, id, video));
  if (area === "channels" && feed !== undefined) {
    const entries =
      typeof feed === "string" ? [] : feed.map((entry) => (typeof entry === "string" ? { id: entry } : entry));
    return json(response, typeof feed === "string" ? { error: feed } : { entries });
  }
  const track = video?.captions?.find((each) => `${each.kind}-${each.language}.vtt` === language);
  if (area === "captions" && track !== undefined)
    return void response.setHeader("content-type", "text/vtt").end(track.vtt);
  if (area === "media" && video?.media !== undefined)
    return void response.setHeader("content-type", "audio/wav").end(video.media);
  response.writeHead(404).end();
}

function description({ origin }: VideoPlatform, id: string, video: PlatformVideo): object {
  const { refusal, geo, error } = video;
  if (error !== undefined) return { error };
  if (geo !== undefined) return { geo };
  const media =
    video.media === undefined || refusal !== undefined
      ? []
      : [{ format_id: "a", url: `${origin}/media/${id}`, ext: "wav", vcodec: "none", acodec: "pcm" }];
  const tracks = (kind: "manual" | "automatic") =>
    Object.fromEntries(
      (video.captions ?? [])
        .filter((track) => track.kind === kind)
        .map(({ language }) => [
          language,
          [
            { ext: "json3", url: `${origin}/nowhere` },
            { ext: "vtt", url: `${origin}/captions/${id}/${kind}-${language}.vtt` },
          ],
        ]),
    );
  const info = {
    id,
    title: video.title ?? `Video ${id}`,
    channel_id: video.channel?.id,
    channel: video.channel?.name,
    timestamp: video.timestamp,
    duration: video.durationSeconds,
    language: video.language,
    live_status: video.liveStatus,
    formats: video.formats ?? media,
    subtitles: tracks("manual"),
    automatic_captions: tracks("automatic"),
  };
  return { info, ...(refusal !== undefined && { refusal }) };
}

function json(response: ServerResponse, body: object): void {
  response.setHeader("content-type", "application/json").end(JSON.stringify(body));
}
