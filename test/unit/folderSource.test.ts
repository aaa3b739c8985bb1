import { copyFile, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAudioDecoder } from "../../adapters/audio/ffmpeg.ts";
import { demoClip } from "../../adapters/media/demo/demoClip.ts";
import { createFolderSource } from "../../adapters/media/folderSource.ts";

const signal = new AbortController().signal;
const videoId = "-_aB3dE5fG7";
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "media-index-folder-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const source = () => createFolderSource(folder, createAudioDecoder());
const addClip = () => copyFile(demoClip.file, path.join(folder, `${videoId}.flac`));
const addCompanion = (content: string) => writeFile(path.join(folder, `${videoId}.json`), content);

describe("folder source", () => {
  test("describes a file with what stands beside it", async () => {
    await addClip();
    await addCompanion(
      JSON.stringify({
        title: "T",
        channel: { id: "C1", name: "N" },
        publishedAt: "1961-01-20T12:00:00-05:00",
        language: "en",
      }),
    );
    expect(await source().describe(videoId, signal)).toEqual({
      videoId,
      title: "T",
      channel: { id: "C1", name: "N" },
      publishedAt: new Date("1961-01-20T17:00:00Z"),
      language: "en",
      durationSeconds: 11,
    });
    expect(await source().fetchAudio(videoId, folder, signal)).toBe(path.join(folder, `${videoId}.flac`));
  });

  test("needs nothing but the file", async () => {
    await addClip();
    expect(await source().describe(videoId, signal)).toEqual({
      videoId,
      title: videoId,
      channel: { id: "local", name: "Local media" },
      publishedAt: null,
      language: null,
      durationSeconds: 11,
    });
  });

  test.each([["{"], ["[]"], ['{"title":7}'], ['{"publishedAt":"yesterday"}']])(
    "refuses the companion %s",
    async (content) => {
      await addClip();
      await addCompanion(content);
      await expect(source().describe(videoId, signal)).rejects.toMatchObject({ reason: "download_failed" });
    },
  );

  test("does not find what is not there, a missing folder included", async () => {
    await expect(source().describe(videoId, signal)).rejects.toMatchObject({ reason: "not_found" });
    await expect(source().fetchAudio(videoId, folder, signal)).rejects.toMatchObject({ reason: "not_found" });
    const nowhere = createFolderSource(path.join(folder, "nowhere"), createAudioDecoder());
    await expect(nowhere.describe(videoId, signal)).rejects.toMatchObject({ reason: "not_found" });
  });

  test("never leaves its folder", async () => {
    const inner = createFolderSource(path.join(folder, "inner"), createAudioDecoder());
    await addClip();
    await expect(inner.fetchAudio(`../${videoId}`, folder, signal)).rejects.toMatchObject({ reason: "not_found" });
    await expect(inner.fetchAudio(`${folder}/${videoId}`, folder, signal)).rejects.toMatchObject({
      reason: "not_found",
    });
  });

  test("passes on why a file cannot be read", async () => {
    await writeFile(path.join(folder, `${videoId}.wav`), "");
    await expect(source().describe(videoId, signal)).rejects.toMatchObject({ reason: "download_failed" });
  });

  test("reads the captions that stand beside a file, WebVTT before SubRip", async () => {
    await addClip();
    expect(await source().captions(videoId, null, signal)).toBeNull();
    await addCompanion(JSON.stringify({ language: "en" }));
    await writeFile(path.join(folder, `${videoId}.srt`), "1\n00:00:01,000 --> 00:00:02,000\nJOHN: Hi\n");
    expect(await source().captions(videoId, null, signal)).toMatchObject({
      language: "en",
      kind: "manual",
      segments: [{ text: "Hi", speaker: "JOHN" }],
    });
    await writeFile(path.join(folder, `${videoId}.vtt`), "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n");
    expect(await source().captions(videoId, null, signal)).toMatchObject({ segments: [{ text: "Hello" }] });
    await expect(source().captions("nobodyknows", null, signal)).rejects.toMatchObject({ reason: "not_found" });
  });

  test("lists a channel's newest videos by what stands beside them, else by the time of the file", async () => {
    const published = { "video-00001": "2026-01-02", "video-00002": "2026-01-03T10:00:00Z", "video-00003": undefined };
    for (const [id, publishedAt] of Object.entries(published)) {
      await copyFile(demoClip.file, path.join(folder, `${id}.flac`));
      await writeFile(
        path.join(folder, `${id}.json`),
        JSON.stringify({ channel: { id: "C1", name: "N" }, publishedAt }),
      );
    }
    await utimes(path.join(folder, "video-00003.flac"), 1, 1);
    await addClip();
    await writeFile(path.join(folder, "not-an-id.flac"), "");
    expect(await source().channelVideos("C1", 10, signal)).toEqual(["video-00002", "video-00001", "video-00003"]);
    expect(await source().channelVideos("C1", 2, signal)).toEqual(["video-00002", "video-00001"]);
    expect(await source().channelVideos("local", 10, signal)).toEqual([videoId]);
    expect(await source().channelVideos("C2", 10, signal)).toEqual([]);
  });
});
