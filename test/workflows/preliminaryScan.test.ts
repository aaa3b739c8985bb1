import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { z } from "zod";
import { readCaptionTrack } from "../../database/captionTracks.ts";
import { sql } from "../../database/pool.ts";
import { readScan, readScanSegments } from "../../database/scans.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import { MediaFailure } from "../../domain/failureReasons.ts";
import type { MediaSource } from "../../domain/media.ts";
import { readCues } from "../../adapters/captions/readCues.ts";
import { importCaptions } from "../../services/captions/importCaptions.ts";
import { requestScans } from "../../services/scans/requestScans.ts";
import { submitTranscription } from "../../services/transcriptions/submit.ts";
import { readTranscript } from "../../services/transcripts/read.ts";
import { startScanWorkflow } from "../../workers/scanStarts.ts";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";
import type { preliminaryScan } from "../../workflows/preliminaryScan.ts";
import { scanWorkflowId } from "../../workflows/scanId.ts";
import { createCaller, createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createVideo } from "../builders/evidence.ts";
import { finishTranscript } from "../builders/finishedTranscript.ts";
import { keepHistory } from "../builders/histories.ts";
import { historyText } from "../builders/readHistory.ts";
import { ScriptedEngine } from "../builders/scriptedEngine.ts";
import { toneWav } from "../builders/toneWav.ts";
import {
  createTestInstallation,
  registerSearchAttributes,
  type TestInstallation,
} from "../builders/transcriptionWorkers.ts";
import { startTimeSkippingServer } from "../environment/temporal.ts";

let environment: TestWorkflowEnvironment;
let context: TestContext;
let engine: ScriptedEngine;
let installation: TestInstallation;
let bundle: Awaited<ReturnType<typeof bundleWorkflows>>;
const names = new Gazetteer();
let wrapSource: (source: MediaSource) => MediaSource;
let videoNumber = 0;
let videoId: string;

beforeAll(async () => {
  environment = await startTimeSkippingServer();
  await registerSearchAttributes(environment);
  context = await createTestContext({
    settings: {
      transcription: { chunkMinSeconds: 5, chunkMaxSeconds: 5 },
      scan: { broadcastWaitLimitSeconds: 18_000 },
    },
  });
  bundle = await bundleWorkflows();
  names.add(await createEntity(context, { name: "Ada Quillfeather" }), "Ada Quillfeather", false);
});
afterAll(async () => {
  await environment?.teardown();
  await context?.close();
});
beforeEach(async () => {
  engine = new ScriptedEngine();
  wrapSource = (source) => source;
  installation = await createTestInstallation({
    environment,
    bundle,
    context,
    engine,
    wrapSource: (source) => wrapSource(source),
    names,
  });
  videoNumber += 1;
  videoId = `scan${String(videoNumber).padStart(7, "0")}`;
  return () => installation.remove();
});

const handle = () => environment.client.workflow.getHandle<typeof preliminaryScan>(scanWorkflowId(videoId));
const vtt = (text: string) => `WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ann>${text}\n`;
const addFile = (name: string, content: string) => writeFile(path.join(installation.mediaFolder, name), content);

/** Starts the scan's workflow, as the outbox would. */
const start = () => startScanWorkflow(context.pool, context.settings, environment.client, videoId);

const foundRow = z.object({ source: z.string(), quote: z.string(), speaker_name: z.string().nullable() });
const foundIn = (id: string) =>
  context.pool.any(sql.type(foundRow)`
    select source, quote, speaker_name from mention where video_id = ${id} and not is_appearance order by id`);
const indexedFrom = (id: string) =>
  context.pool.anyFirst(
    sql.type(z.object({ source: z.string() }))`select source from video_index where video_id = ${id}`,
  );

async function scan() {
  return installation.whileWorking(async () => {
    await requestScans(context, [videoId]);
    expect(await start()).toBe(true);
    return handle().result();
  });
}

describe("a scan", () => {
  it("takes the captions where there are any, and leaves the engine alone", async () => {
    await installation.addMedia(videoId, toneWav(31));
    await addFile(`${videoId}.vtt`, vtt("Hello &amp; welcome, says Ada Quillfeather."));
    await addFile(`${videoId}.json`, JSON.stringify({ title: "T", channel: { id: "C1", name: "N" }, language: "en" }));
    expect(await scan()).toEqual({ outcome: "completed", source: "captions" });
    expect(engine.calls).toBe(0);
    expect(await foundIn(videoId)).toEqual([
      { source: "captions", quote: "Hello & welcome, says Ada Quillfeather.", speaker_name: "Ann" },
    ]);
    expect(await readScan(context.pool, videoId)).toMatchObject({ status: "completed", source: "captions" });
    expect(await readCaptionTrack(context.pool, videoId)).toMatchObject({ source: "manual", language: "en" });
    await keepHistory(environment, handle().workflowId, "scan-captions");
  });

  it("listens where there are none, and never serves what it hears", async () => {
    await installation.addMedia(videoId, toneWav(31));
    expect(await scan()).toEqual({ outcome: "completed", source: "speech" });
    const heard = await readScanSegments(context.pool, videoId);
    const starts = heard?.map((segment) => segment.startSeconds) ?? [];
    expect(starts.length).toBeGreaterThan(4);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(engine.calls).toBe(starts.length);
    expect(await indexedFrom(videoId)).toEqual(["speech"]);
    const caller = await createCaller(context);
    const view = await readTranscript(context, caller, videoId, { unlock: true });
    expect(view.access).toBe("not_transcribed");
    await keepHistory(environment, handle().workflowId, "scan-speech");
  });

  it("needs neither media nor engine for captions that were imported", async () => {
    await createVideo(context, { videoId });
    const { cues } = readCues(vtt("By hand, by Ada Quillfeather."), "vtt");
    await importCaptions(context, { videoId, cues });
    expect(await scan()).toEqual({ outcome: "completed", source: "captions" });
    expect(await foundIn(videoId)).toMatchObject([{ source: "captions", quote: "By hand, by Ada Quillfeather." }]);
  });

  it("shows the operator what it does, and carries no text in its history", async () => {
    await installation.addMedia(videoId, toneWav(10));
    await scan();
    const described = await handle().describe();
    expect(described.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value])).toEqual(
      expect.arrayContaining([
        ["MediaVideoId", videoId],
        ["MediaStage", "done"],
      ]),
    );
    expect(await historyText(handle())).not.toContain("Heard from");
  });

  it("waits while no engine answers, for an hour too", async () => {
    await installation.addMedia(videoId, toneWav(12));
    const startedAt = await environment.currentTimeMs();
    let now = startedAt;
    engine.outage = () => (now - startedAt < 3_600_000 ? "down" : "up");
    const clock = setInterval(() => void environment.currentTimeMs().then((time) => (now = time)), 20);
    try {
      expect(await scan()).toEqual({ outcome: "completed", source: "speech" });
    } finally {
      clearInterval(clock);
    }
    expect(await environment.currentTimeMs()).toBeGreaterThanOrEqual(startedAt + 3_600_000);
    expect(await indexedFrom(videoId)).toEqual(["speech"]);
  });

  it("fails at once, loudly, when no engine is configured", async () => {
    await installation.addMedia(videoId, toneWav(4));
    engine.outage = () => "not configured";
    expect(await scan()).toEqual({ outcome: "failed", reason: "engine_unavailable" });
    expect(await readScan(context.pool, videoId)).toMatchObject({
      status: "failed",
      failureReason: "engine_unavailable",
    });
  });

  it("waits for the end of a broadcast", async () => {
    await installation.addMedia(videoId, toneWav(4));
    let looks = 0;
    wrapSource = (source) => ({
      ...source,
      describe: async (id, signal) => {
        looks += 1;
        if (looks <= 3) throw new MediaFailure("live_or_upcoming", "on air");
        return source.describe(id, signal);
      },
    });
    const startedAt = await environment.currentTimeMs();
    expect(await scan()).toEqual({ outcome: "completed", source: "speech" });
    expect(looks).toBe(4);
    const { broadcastRetrySeconds } = context.settings.scan;
    expect(await environment.currentTimeMs()).toBeGreaterThanOrEqual(startedAt + 3 * broadcastRetrySeconds * 1000);
  });

  it("gives up a broadcast that never ends", async () => {
    wrapSource = (source) => ({
      ...source,
      describe: () => Promise.reject(new MediaFailure("live_or_upcoming", "on air")),
    });
    expect(await scan()).toEqual({ outcome: "failed", reason: "live_or_upcoming" });
  });

  it("listens when captions are there but cannot be had", async () => {
    await installation.addMedia(videoId, toneWav(4));
    wrapSource = (source) => ({
      ...source,
      captions: () => Promise.reject(new MediaFailure("download_failed", "429")),
    });
    expect(await scan()).toEqual({ outcome: "completed", source: "speech" });
  });

  it.each([
    ["a missing video", false, "not_found"],
    ["an empty file", true, "download_failed"],
  ])("fails with its typed reason on %s, and can be asked for again", async (_, isThere, reason) => {
    if (isThere) await installation.addMedia(videoId, Buffer.alloc(0));
    expect(await scan()).toEqual({ outcome: "failed", reason });
    expect(await readScan(context.pool, videoId)).toMatchObject({ status: "failed", failureReason: reason, run: 1 });
    await installation.addMedia(videoId, toneWav(4));
    expect(await scan()).toEqual({ outcome: "completed", source: "speech" });
    expect(await readScan(context.pool, videoId)).toMatchObject({ status: "completed", failureReason: null, run: 2 });
    if (!isThere) await keepHistory(environment, handle().workflowId, "scan-failed");
  });

  it("is indexed in one piece or not at all", async () => {
    await installation.addMedia(videoId, toneWav(4));
    // The database goes away in the middle, twice.
    await context.pool.query(sql.typeAlias("void")`create sequence crashes`);
    await context.pool.query(sql.typeAlias("void")`
      create function crash() returns trigger language plpgsql as $$
      begin if nextval('crashes') <= 2 then raise exception 'gone'; end if; return new; end $$`);
    await context.pool.query(sql.typeAlias("void")`
      create trigger crash before update on scan for each row when (new.status = 'completed') execute function crash()`);
    expect(await scan()).toEqual({ outcome: "completed", source: "speech" });
    expect(await indexedFrom(videoId)).toEqual(["speech"]);
    await context.pool.query(sql.typeAlias("void")`drop trigger crash on scan`);
    expect(engine.calls).toBe(1);
  });

  it("recognises a chunk again only when it was not stored", async () => {
    await installation.addMedia(videoId, toneWav(20));
    let crashes = 3;
    engine.onRecognise = async () => {
      crashes -= 1;
      if (crashes >= 0) throw new Error("the engine's process fell over");
    };
    await scan();
    expect(engine.calls).toBe(((await readScanSegments(context.pool, videoId))?.length ?? 0) + 3);
  });

  it("of a video that has a transcript indexes that anew, for names that have come since", async () => {
    const caller = await createCaller(context);
    await context.pool.transaction((tx) => submitTranscription(context, tx, caller, { videoId }));
    await finishTranscript(context, videoId);
    expect(await foundIn(videoId)).toEqual([]);
    const world = await createEntity(context, { name: "Hello World", type: "product" });
    names.add(world, "Hello World", false);
    expect(await scan()).toEqual({ outcome: "completed", source: "speech" });
    expect(await foundIn(videoId)).toMatchObject([{ source: "speech", quote: "hello world" }]);
    expect(engine.calls).toBe(0);
  });
});
