import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { Client, Connection } from "@temporalio/client";
import { z } from "zod";
import { makeRecording } from "../../bench/audio/recording.ts";
import { readCaptionTrack } from "../../database/captionTracks.ts";
import { sql } from "../../database/pool.ts";
import { readScan, readScanSegments } from "../../database/scans.ts";
import { wordErrorRate } from "../../domain/wordErrorRate.ts";
import { scanWorkflowId } from "../../workflows/scanId.ts";
import { runCommand } from "../builders/cli.ts";
import { Installation } from "../builders/installation.ts";
import { toneWav } from "../builders/toneWav.ts";
import { platformPlugins, startVideoPlatform, type VideoPlatform } from "../builders/videoPlatform.ts";
import { runningParts } from "../environment/startedSystem.ts";

jest.setTimeout(300_000);
const [spoken, captioned] = ["spoken00001", "captioned01"];
const channel = { id: "UCloopback", name: "Loopback" };
let platform: VideoPlatform;
let installation: Installation;
beforeAll(async () => {
  platform = await startVideoPlatform();
  const settingsFile = path.join(tmpdir(), `media-index-platform-${process.pid}.json`);
  const { videoUrl, channelUrl } = platform.source;
  await writeFile(settingsFile, JSON.stringify({ videoUrl, channelFeedUrl: channelUrl }));
  installation = await Installation.start({
    MEDIA_SOURCE: "yt-dlp",
    YT_DLP_OPTIONS: `--plugin-dirs '${platformPlugins}'`,
    MEDIA_INDEX_SETTINGS: settingsFile,
  });
});
afterAll(async () => {
  await installation?.stop();
  await platform?.close();
});

const command = (...words: string[]) => runCommand(installation.running.databaseUrl, words);

async function until(wanted: () => Promise<boolean>): Promise<void> {
  while (!(await wanted())) await sleep(100);
}

const hasEnded = async (videoId: string) =>
  ["completed", "failed"].includes((await readScan(installation.context.pool, videoId))?.status ?? "");

it("scans what a channel publishes on the platform, each video once, though the speech worker is killed in the middle", async () => {
  const recording = await makeRecording(120, path.join(tmpdir(), "media-index-recordings"));
  const media = await readFile(recording.path);
  platform.videos.set(spoken, { media, channel, title: "Spoken", durationSeconds: 120, language: "en" });
  const track = {
    kind: "automatic" as const,
    language: "en-orig",
    vtt: "WEBVTT\n\n00:00.000 --> 00:02.000\n>> Hello\n",
  };
  platform.videos.set(captioned, { media: toneWav(2), channel, title: "Captioned", captions: [track] });
  platform.feeds.set(channel.id, [captioned, spoken]);

  const followed = { channelId: channel.id, schedule: `channel-poll-${channel.id}` };
  expect(await command("channels", "follow", channel.id)).toEqual({ status: 0, json: followed, stderr: "" });

  const { pool } = installation.context;
  const someHeard = sql.type(z.object({ heard: z.boolean() }))`
    select exists (select from scan_chunk where video_id = ${spoken} and recognised_at is not null) as heard`;
  await until(async () => (await pool.oneFirst(someHeard)) || hasEnded(spoken));
  const worker = runningParts(installation.where.home).speech;
  if (worker === undefined) throw new Error("no speech worker is running");
  expect(await readScan(pool, spoken)).toMatchObject({ status: "running" });
  process.kill(worker.pid, "SIGKILL");

  await until(async () => (await hasEnded(spoken)) && (await hasEnded(captioned)));
  expect(await readScan(pool, captioned)).toMatchObject({ status: "completed", source: "captions" });
  expect(await readCaptionTrack(pool, captioned)).toMatchObject({
    source: "automatic",
    language: "en",
    segments: [{ text: "Hello", startsTurn: true }],
  });
  expect(await readScan(pool, spoken)).toMatchObject({ status: "completed", source: "speech" });
  const heard = (await readScanSegments(pool, spoken)) ?? [];
  const said = recording.utterances.map((utterance) => utterance.text).join(" ");
  expect(wordErrorRate(said, heard.map((segment) => segment.text).join(" "))).toBeLessThanOrEqual(0.08);

  const connection = await Connection.connect({ address: installation.running.temporalAddress });
  const { workflow } = new Client({ connection });
  for (const videoId of [spoken, captioned])
    expect(await workflow.count(`WorkflowId = '${scanWorkflowId(videoId)}'`)).toMatchObject({ count: 1 });
  await connection.close();
});
