import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createYtDlpSource } from "../../adapters/media/ytDlpSource.ts";
import { toneWav } from "../builders/toneWav.ts";
import { type PlatformVideo, startVideoPlatform, type VideoPlatform } from "../builders/videoPlatform.ts";

const videoId = "-_aB3dE5fG7";
const signal = new AbortController().signal;
let platform: VideoPlatform;
let folder: string;

beforeAll(async () => {
  platform = await startVideoPlatform();
});
afterAll(() => platform?.close());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "media-index-yt-dlp-"));
});
afterEach(async () => {
  platform.videos.clear();
  platform.feeds.clear();
  platform.intercept = () => false;
  await rm(folder, { recursive: true, force: true });
});

const source = (options: string[] = []) =>
  createYtDlpSource({ ...platform.source, options: [...platform.source.options, ...options] });
const offer = (video: PlatformVideo) => platform.videos.set(videoId, { media: toneWav(2), ...video });
const cue = (text: string) => `WEBVTT\n\n00:00.000 --> 00:02.000\n${text}\n`;

const manual = (language: string) => ({ kind: "manual" as const, language, vtt: cue(`people's ${language}`) });
const automatic = (language: string) => ({ kind: "automatic" as const, language, vtt: cue(`machine's ${language}`) });

describe("a video that can be listened to", () => {
  it("is described", async () => {
    offer({
      title: "A talk",
      channel: { id: "UC1", name: "Talks" },
      timestamp: 1_700_000_000,
      durationSeconds: 2.5,
      language: "en",
      liveStatus: "was_live",
    });
    expect(await source().describe(videoId, signal)).toEqual({
      videoId,
      title: "A talk",
      channel: { id: "UC1", name: "Talks" },
      publishedAt: new Date(1_700_000_000_000),
      language: "en",
      durationSeconds: 2.5,
    });
  });

  it("may say no more than that it is there", async () => {
    offer({});
    expect(await source().describe(videoId, signal)).toMatchObject({
      channel: { id: "unknown", name: "unknown" },
      publishedAt: null,
      language: null,
      durationSeconds: null,
    });
  });

  it("is fetched as it is, with its progress told, and leaves nothing else behind", async () => {
    const media = toneWav(30);
    offer({ media });
    const shares: number[] = [];
    const file = await source().fetchAudio(videoId, path.join(folder, "new"), signal, (share) => shares.push(share));
    expect((await readFile(file)).equals(media)).toBe(true);
    expect(await readdir(path.dirname(file))).toEqual(["audio.wav"]);
    expect(shares.at(-1)).toBe(1);
  });
});

describe("a video that cannot", () => {
  it.each<[string, PlatformVideo, string]>([
    ["removed", { refusal: "Video unavailable. This video has been removed by the uploader" }, "not_found"],
    ["private", { refusal: "Private video. Sign in if you've been granted access to this video" }, "private"],
    [
      "blocked here",
      { refusal: "Video unavailable. The uploader has not made this video available in your country" },
      "region_blocked",
    ],
    ["blocked by yt-dlp's own words", { geo: ["DE"] }, "region_blocked"],
    ["announced", { refusal: "Premieres in 3 hours" }, "live_or_upcoming"],
    ["on air", { liveStatus: "is_live" }, "live_or_upcoming"],
    ["coming, without a word", { liveStatus: "is_upcoming", formats: [] }, "live_or_upcoming"],
    [
      "without sound",
      { formats: [{ format_id: "v", url: "http://127.0.0.1:1/v", ext: "mp4", acodec: "none", vcodec: "h264" }] },
      "no_audio",
    ],
    ["without anything", { formats: [] }, "download_failed"],
    ["kept from robots", { error: "Sign in to confirm you’re not a bot. Use --cookies" }, "download_failed"],
  ])("because it is %s", async (_, video, reason) => {
    offer(video);
    await expect(source().describe(videoId, signal)).rejects.toMatchObject({ reason, permanent: false });
  });

  it("because nobody knows it", async () => {
    await expect(source().describe(videoId, signal)).rejects.toMatchObject({ reason: "not_found" });
    await expect(source().fetchAudio(videoId, folder, signal)).rejects.toMatchObject({ reason: "not_found" });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    [429, "download_failed"],
    [500, "download_failed"],
    [451, "region_blocked"],
  ])("because the platform answers %d", async (status, reason) => {
    platform.intercept = (_, response) => {
      response.writeHead(status).end();
      return true;
    };
    await expect(
      source(["--retries", "0", "--extractor-retries", "0"]).describe(videoId, signal),
    ).rejects.toMatchObject({ reason });
  });

  it("because the connection breaks in the middle of the recording", async () => {
    offer({ media: toneWav(20) });
    platform.intercept = (request, response) => {
      if (!request.url?.startsWith("/media/")) return false;
      response.writeHead(200, { "content-length": "100000", "content-type": "audio/wav" });
      response.write(Buffer.alloc(1000));
      setTimeout(() => response.destroy(), 20);
      return true;
    };
    const fetching = source(["--retries", "0"]).fetchAudio(videoId, folder, signal);
    await expect(fetching).rejects.toMatchObject({ reason: "download_failed", permanent: false });
    expect(await readdir(folder)).toEqual([]);
  });

  it("because the platform is not there", async () => {
    const nowhere = createYtDlpSource({ ...platform.source, videoUrl: "http://127.0.0.1:1/watch?v={video_id}" });
    await expect(nowhere.describe(videoId, signal)).rejects.toMatchObject({ reason: "download_failed" });
  });

  it("because its id is none: it never becomes an option or an address", async () => {
    for (const id of ["--version", "https://a.b", "x&list=abcde"])
      await expect(source().describe(id, signal)).rejects.toMatchObject({ reason: "not_found" });
    await expect(source().channelVideos("--version", 1, signal)).rejects.toMatchObject({ reason: "not_found" });
    expect(platform.asked.some((asked) => asked.includes("version"))).toBe(false);
  });

  it("because yt-dlp or Python is missing, which waiting does not mend", async () => {
    const without = createYtDlpSource({ ...platform.source, pythonPath: "/nowhere/python" });
    await expect(without.describe(videoId, signal)).rejects.toMatchObject({ reason: "internal", permanent: true });
  });
});

describe("canceling", () => {
  it("ends yt-dlp in the middle of a download and takes what it has written", async () => {
    offer({});
    const began = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    platform.intercept = (request, response) => {
      if (!request.url?.startsWith("/media/")) return false;
      response.writeHead(200, { "content-length": "100000000", "content-type": "audio/wav" });
      const drip = setInterval(() => response.write(Buffer.alloc(10_000)), 20);
      response.once("close", () => {
        clearInterval(drip);
        gone.resolve();
      });
      began.resolve();
      return true;
    };
    const canceled = new AbortController();
    const fetching = source().fetchAudio(videoId, folder, canceled.signal);
    await began.promise;
    await sleep(100);
    canceled.abort(new Error("canceled"));
    await expect(fetching).rejects.toThrow("canceled");
    await gone.promise;
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("captions", () => {
  it("by people come before those of machines, in the language that is spoken", async () => {
    offer({ language: "en", captions: [automatic("en"), manual("es"), manual("en-GB")] });
    expect(await source().captions(videoId, null, signal)).toMatchObject({
      kind: "manual",
      language: "en-GB",
      segments: [{ text: "people's en-GB", startSeconds: 0, endSeconds: 2 }],
    });
    expect(await source().captions(videoId, "es", signal)).toMatchObject({ language: "es" });
  });

  it("of machines are taken where people wrote none, translations never", async () => {
    offer({ captions: [automatic("de"), automatic("en-orig"), automatic("en"), automatic("fr")] });
    expect(await source().captions(videoId, null, signal)).toMatchObject({
      kind: "automatic",
      language: "en",
      segments: [{ text: "machine's en-orig" }],
    });
  });

  it("are null where there are none in that language", async () => {
    offer({ language: "en", captions: [manual("es")] });
    expect(await source().captions(videoId, null, signal)).toBeNull();
    offer({});
    expect(await source().captions(videoId, null, signal)).toBeNull();
  });
});

describe("a channel", () => {
  it("lists its newest videos, without what has not been broadcast yet", async () => {
    const ids = ["video000001", "video000002", "video000003", "video000004"];
    platform.feeds.set("UC1", [{ id: "coming00001", live_status: "is_upcoming" }, ...ids]);
    expect(await source().channelVideos("UC1", 3, signal)).toEqual(ids.slice(0, 2));
    expect(await source().channelVideos("UC1", 100, signal)).toEqual(ids);
    expect(platform.asked.filter((asked) => asked.startsWith("/api/videos/video0"))).toEqual([]);
  });

  it("may be empty, or not be there", async () => {
    platform.feeds.set("UC2", "This channel does not have a videos tab");
    expect(await source().channelVideos("UC2", 3, signal)).toEqual([]);
    await expect(source().channelVideos("UC3", 3, signal)).rejects.toMatchObject({ reason: "not_found" });
  });
});
