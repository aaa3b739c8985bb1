import { execFile } from "node:child_process";
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createAudioDecoder } from "../../adapters/audio/ffmpeg.ts";
import { findFfmpeg } from "../../adapters/audio/findFfmpeg.ts";
import { splitAtSilences } from "../../adapters/audio/split.ts";
import { demoClip } from "../../adapters/media/demo/demoClip.ts";

const decoder = createAudioDecoder();
const unaborted = new AbortController().signal;
const options = { maxDurationSeconds: 60, signal: unaborted };
let folder: string;
let ffmpeg: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "media-index-decoder-"));
  ffmpeg = await findFfmpeg(undefined);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const at = (name: string) => path.join(folder, name);
const synthesise = async (name: string, ...args: string[]) => {
  await promisify(execFile)(ffmpeg, ["-nostdin", "-y", "-v", "error", ...args, at(name)]);
  return at(name);
};
const lavfi = (source: string) => ["-f", "lavfi", "-i", source];
const decode = (file: string, maxDurationSeconds = 60) =>
  decoder.decode(file, at("out.pcm"), { ...options, maxDurationSeconds });
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    (error: unknown) => (error instanceof Error && "reason" in error ? error.reason : error),
  );

describe("decoding", () => {
  test.each(["wav", "mp3", "m4a", "mp4", "webm", "flac", "ogg", "opus", "mkv"])("reads %s", async (extension) => {
    const file = await synthesise(`clip.${extension}`, "-i", demoClip.file);
    expect(await decoder.probeDurationSeconds(file, unaborted)).toBeCloseTo(11, 0);
    const audio = await decode(file);
    expect(audio.durationSeconds).toBeCloseTo(11, 0);
    expect((await stat(audio.pcmPath)).size).toBe(audio.durationSeconds * 32_000);
  });

  test("takes the sound of a film", async () => {
    const file = await synthesise("film.mp4", ...lavfi("testsrc=d=11:s=64x64"), "-i", demoClip.file);
    expect((await decode(file)).durationSeconds).toBeCloseTo(11, 0);
  });

  test("gives the very samples of a lossless clip", async () => {
    const { pcmPath } = await decode(demoClip.file);
    const wave = await readFile(await synthesise("lossless.wav", "-i", demoClip.file, "-bitexact"));
    expect(Buffer.compare(await readFile(pcmPath), wave.subarray(44))).toBe(0);
  });

  test("takes names that look like options or protocols", async () => {
    const file = at("-i concat:a|b 'x' $(y).flac");
    await copyFile(demoClip.file, file);
    expect((await decode(file)).durationSeconds).toBe(11);
  });

  test("measures the length of a file whose header does not tell", async () => {
    const file = await synthesise("guessed.mp3", "-i", demoClip.file, "-write_xing", "0", "-q:a", "6");
    expect(await decoder.probeDurationSeconds(file, unaborted)).toBeCloseTo(11, 0);
  });
});

describe("what cannot be decoded has its reason", () => {
  const failures: [string, string, () => Promise<string>][] = [
    ["a missing file", "not_found", async () => at("missing.wav")],
    ["a folder", "not_found", async () => folder],
    ["an empty file", "download_failed", async () => write("empty.wav", "")],
    ["a text", "download_failed", async () => write("text.mp3", "hello world")],
    [
      "noise bytes",
      "download_failed",
      async () => write("noise.mp4", Buffer.from(Array.from({ length: 60_000 }, (_, i) => (i * i * 31 + i) % 251))),
    ],
    ["a film that was cut off", "download_failed", async () => cutOff("cut.m4a", 30_000)],
    [
      "a streamable film that was cut off",
      "download_failed",
      async () => cutOff("cutFast.m4a", 40_000, "-movflags", "+faststart"),
    ],
    ["a FLAC that was cut off", "download_failed", async () => cutOff("cut.flac", 60_000)],
    ["a WebM that was cut off", "download_failed", async () => cutOff("cut.webm", 30_000)],
    ["a film without sound", "no_audio", async () => synthesise("silent.mp4", ...lavfi("testsrc=d=2:s=64x64"))],
    [
      "a picture",
      "download_failed",
      async () => synthesise("picture.png", ...lavfi("testsrc=d=2:s=64x64"), "-frames:v", "1"),
    ],
    [
      "a playlist that names another file",
      "download_failed",
      async () =>
        write("playlist.mp4", `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${demoClip.file}\n#EXT-X-ENDLIST\n`),
    ],
    [
      "a concatenation that names another file",
      "download_failed",
      async () => write("concat.mp3", "ffconcat version 1.0\nfile 'clip.wav'\n"),
    ],
  ];
  test.each(failures)("%s: %s", async (_name, reason, make) => {
    const file = await make();
    expect(await reasonOf(decode(file))).toBe(reason);
    expect(await readdir(folder)).not.toContainEqual(expect.stringContaining(".part"));
  });

  test("a long file: too_long, by its header and without one", async () => {
    const announced = await synthesise("long.flac", ...lavfi("sine=d=30"));
    expect(await reasonOf(decode(announced, 29))).toBe("too_long");
    expect((await decode(announced, 31)).durationSeconds).toBe(30);
    const unannounced = await synthesise("long.aac", ...lavfi("sine=d=30"), "-f", "adts");
    expect(await reasonOf(decode(unannounced, 29))).toBe("too_long");
  });

  test("an aborted decode ends ffmpeg and leaves nothing behind", async () => {
    const file = await synthesise("aborted.flac", ...lavfi("sine=d=600"));
    const controller = new AbortController();
    const decoding = decoder.decode(file, at("aborted.pcm"), { maxDurationSeconds: 1000, signal: controller.signal });
    setTimeout(() => controller.abort(new Error("cancelled")), 60);
    await expect(decoding).rejects.toThrow("cancelled");
    expect((await readdir(folder)).filter((name) => name.startsWith("aborted.pcm"))).toEqual([]);
  });
});

describe("finding ffmpeg", () => {
  test("prefers the configured one, then one on the path, then the installed one", async () => {
    const installed = await findFfmpeg(undefined, "");
    await mkdir(at("bin"), { recursive: true });
    await cp(installed, at("bin/ffmpeg"));
    await chmod(at("bin/ffmpeg"), 0o755);
    expect(await findFfmpeg(undefined, `relative:${folder}:${at("bin")}`)).toBe(at("bin/ffmpeg"));
    expect(await findFfmpeg(installed, at("bin"))).toBe(installed);
  });

  test("leaves an old one on the path alone", async () => {
    await mkdir(at("old"), { recursive: true });
    await writeFile(at("old/ffmpeg"), "#!/bin/sh\necho ffmpeg version 2.8.17-0ubuntu0.1\n", { mode: 0o755 });
    expect(await findFfmpeg(undefined, at("old"))).toBe(await findFfmpeg(undefined, ""));
  });

  test("refuses a configured one that does not run", async () => {
    await expect(findFfmpeg(at("nothing"))).rejects.toMatchObject({ reason: "internal", permanent: true });
  });
});

describe("splitting a file", () => {
  test("gives no span for digital silence and all of a tone", async () => {
    const silence = await decode(await synthesise("silence.wav", ...lavfi("anullsrc=r=16000:cl=mono"), "-t", "5"));
    expect(await splitAtSilences(silence, 30, unaborted)).toEqual([]);
    const tone = await decode(await synthesise("tone.wav", ...lavfi("sine=d=5")));
    expect(await splitAtSilences(tone, 30, unaborted)).toEqual([{ startSeconds: 0, endSeconds: 5 }]);
  });
});

async function write(name: string, content: string | Buffer): Promise<string> {
  await writeFile(at(name), content);
  return at(name);
}

async function cutOff(name: string, sizeBytes: number, ...args: string[]): Promise<string> {
  const file = await synthesise(name, "-i", demoClip.file, ...args);
  await truncate(file, sizeBytes);
  return file;
}
