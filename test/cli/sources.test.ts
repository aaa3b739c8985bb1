import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { readCaptionTrack } from "../../database/captionTracks.ts";
import { listFollowedChannels } from "../../database/followedChannels.ts";
import { sql } from "../../database/pool.ts";
import { readScan } from "../../database/scans.ts";
import { insertVideoStub } from "../../database/videos.ts";
import { runCommand } from "../builders/cli.ts";
import { createTestContext, type TestContext } from "../builders/context.ts";

const videoId = "captions001";
let context: TestContext;
let folder: string;
beforeAll(async () => {
  [context, folder] = await Promise.all([createTestContext(), mkdtemp(path.join(tmpdir(), "media-index-cli-"))]);
  await insertVideoStub(context.pool, videoId);
});
afterAll(async () => {
  await context.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (...words: string[]) => runCommand(context.databaseUrl, words);
const outbox = async () =>
  (
    await context.pool.any(
      sql.type(z.object({ kind: z.string(), subject: z.string() }))`select kind, subject from outbox order by id`,
    )
  ).map(({ kind, subject }) => `${kind} ${subject}`);
const vtt = (text: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>${text}\n\n00:05.000 --> 00:04.000\nnever\n`;

async function file(name: string, content: string): Promise<string> {
  const full = path.join(folder, name);
  await writeFile(full, content);
  return full;
}

describe("import captions", () => {
  it("keeps them, in place of earlier ones, names what it could not read, and asks for one scan", async () => {
    const captions = await file(`${videoId}.vtt`, vtt("Hello"));
    const rejects = [{ line: 6, reason: "the cue ends before it starts" }];
    const report = { imported: 0, updated: 0, rejected: 1, rejects };
    expect(await run("import", "captions", captions)).toEqual({
      status: 0,
      json: { ...report, imported: 1 },
      stderr: "",
    });
    expect(await run("import", "captions", captions, "--language", "en")).toMatchObject({
      json: { ...report, updated: 1 },
    });
    expect(await readCaptionTrack(context.pool, videoId)).toMatchObject({
      language: "en",
      source: "import",
      segments: [{ text: "Hello", speaker: "Ann", startSeconds: 1 }],
    });
    expect(await readScan(context.pool, videoId)).toMatchObject({ status: "queued", run: 1 });
    expect(new Set(await outbox())).toEqual(new Set([`scan.start ${videoId}`]));
  });

  it("takes SubRip, and standard input, and changes nothing the second time", async () => {
    const srt = "1\n00:00:01,000 --> 00:00:02,000\n- One\n- Two\n";
    expect(await run("import", "captions", await file(`${videoId}.srt`, srt))).toMatchObject({ json: { updated: 2 } });
    const piped = await runCommand(context.databaseUrl, ["import", "captions", "-", "--video", videoId], srt);
    expect(piped).toMatchObject({ status: 0, json: { imported: 0, updated: 0, rejected: 0 } });
  });

  it("changes nothing where nobody speaks", async () => {
    const silent = await file(`${videoId}.vtt`, "WEBVTT\n\n00:01.000 --> 00:02.000\n[Music]\n");
    expect(await run("import", "captions", silent)).toMatchObject({
      status: 0,
      json: { imported: 0, updated: 0, rejected: 1, rejects: [{ reason: "nobody speaks in this file" }] },
    });
    expect((await readCaptionTrack(context.pool, videoId))?.segments).toHaveLength(2);
  });

  it("exits with 1 for a video or a file that is not there, and with 2 for one that is not named", async () => {
    const unknown = await file("nobodyknows.vtt", vtt("Hello"));
    expect(await run("import", "captions", unknown)).toMatchObject({
      status: 1,
      stderr: "There is no video nobodyknows.\n",
    });
    expect(await run("import", "captions", path.join(folder, "captions002.vtt"))).toMatchObject({ status: 1 });
    expect(await run("import", "captions", await file("talk.vtt", vtt("Hello")))).toMatchObject({ status: 2 });
    expect(await run("import", "captions", "-")).toMatchObject({ status: 2 });
  });
});

describe("scan", () => {
  it("asks once for each video, known or not", async () => {
    const scanned = ["first--scan", "other--scan"];
    expect(await run("scan", ...scanned, "other--scan")).toEqual({ status: 0, json: { started: 2 }, stderr: "" });
    for (const id of scanned) expect(await readScan(context.pool, id)).toMatchObject({ status: "queued" });
    expect(await run("scan", "https://a.b/c")).toMatchObject({ status: 2 });
    expect(await run("scan")).toMatchObject({ status: 2 });
  });
});

describe("channels", () => {
  it("are followed, followed at another pace, and no longer followed", async () => {
    const answer = { channelId: "UC1", schedule: "channel-poll-UC1" };
    expect(await run("channels", "follow", "UC1")).toEqual({ status: 0, json: answer, stderr: "" });
    expect(await listFollowedChannels(context.pool)).toMatchObject([{ channelId: "UC1", everySeconds: 900 }]);
    expect(await run("channels", "follow", "UC1", "--every", "2h")).toMatchObject({ json: answer });
    expect(await listFollowedChannels(context.pool)).toMatchObject([{ channelId: "UC1", everySeconds: 7200 }]);
    expect(await run("channels", "unfollow", "UC1")).toMatchObject({ status: 0 });
    expect(await run("channels", "unfollow", "UC1")).toMatchObject({ status: 1 });
    expect(await listFollowedChannels(context.pool)).toEqual([]);
    expect((await outbox()).filter((message) => message === "channel.schedule UC1").length).toBeGreaterThanOrEqual(3);
  });

  it("need an id and a time that are some", async () => {
    expect(await run("channels", "follow", "a b")).toMatchObject({ status: 2 });
    expect(await run("channels", "follow", "UC1", "--every", "soon")).toMatchObject({ status: 2 });
  });
});
