import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { findFfmpeg } from "../../adapters/audio/findFfmpeg.ts";
import { demoClip } from "../../adapters/media/demo/demoClip.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { hasEnded, Installation } from "../builders/installation.ts";
import { runningParts } from "../environment/startedSystem.ts";

jest.setTimeout(180_000);
const limitSeconds = 60;
let installation: Installation;
let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "media-index-unusable-"));
  const settings = path.join(scratch, "settings.json");
  await writeFile(settings, JSON.stringify({ transcription: { maxDurationSeconds: limitSeconds } }));
  installation = await Installation.start({ MEDIA_INDEX_SETTINGS: settings });
});
afterAll(async () => {
  await installation?.stop();
  await rm(scratch, { recursive: true, force: true });
});

async function synthesise(name: string, ...args: string[]): Promise<string> {
  const file = path.join(scratch, name);
  await promisify(execFile)(await findFfmpeg(undefined), ["-nostdin", "-v", "error", "-y", ...args, file]);
  return file;
}

async function write(name: string, content: Buffer | string): Promise<string> {
  const file = path.join(scratch, name);
  await writeFile(file, content);
  return file;
}

const picture = ["-f", "lavfi", "-i", "testsrc=d=2:s=64x64"];
const unusable: [string, string, () => Promise<string | null>][] = [
  ["a file that is not there", "not_found", async () => null],
  ["an empty file", "download_failed", () => write("empty.mp3", "")],
  ["a text under a film's name", "download_failed", () => write("text.mp4", "This is not a film.".repeat(500))],
  [
    "a film that was cut off",
    "download_failed",
    async () => {
      const whole = await synthesise("whole.m4a", "-i", demoClip.file);
      return write("cut.m4a", (await readFile(whole)).subarray(0, 20_000));
    },
  ],
  ["a film without sound", "no_audio", () => synthesise("mute.mp4", ...picture)],
  ["silence", "no_speech", () => synthesise("silence.wav", "-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono", "-t", "5")],
  ["noise", "no_speech", () => synthesise("noise.wav", "-f", "lavfi", "-i", "anoisesrc=d=8:a=0.3:r=16000")],
  [
    "a recording past the limit",
    "too_long",
    () => synthesise("long.flac", "-f", "lavfi", "-i", `sine=d=${limitSeconds + 10}`),
  ],
];

it("names what is wrong with each kind of unusable media, refunds in full, and goes on working", async () => {
  const worker = runningParts(installation.where.home).speech;
  const { accountId, key } = await installation.createKey();
  for (const [index, [kind, reason, make]] of unusable.entries()) {
    const videoId = `unusable-${String(index).padStart(2, "0")}`;
    const file = await make();
    if (file !== null) await installation.addMedia(videoId, file);
    await installation.submit(key, videoId);
    const job = await installation.waitFor(key, videoId, hasEnded);
    expect([kind, job.status, job.failureReason, job.rowsCharged]).toEqual([kind, "failed", reason, 0]);
  }
  expect((await readUsage(installation.context, accountId)).rows_used).toBe(0);

  await installation.addMedia("usable-clip", demoClip.file);
  await installation.submit(key, "usable-clip");
  expect(await installation.waitFor(key, "usable-clip", hasEnded)).toMatchObject({ status: "completed" });
  expect(runningParts(installation.where.home).speech).toEqual(worker);
});
