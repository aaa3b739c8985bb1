import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
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
});
