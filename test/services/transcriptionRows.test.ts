import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { listLedger } from "../../database/ledger.ts";
import { sql } from "../../database/pool.ts";
import { readRunningJob } from "../../database/transcriptionJobs.ts";
import { storeChunk } from "../../database/transcriptionChunks.ts";
import { InsufficientRows } from "../../domain/bareRefusals.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import type { Caller } from "../../services/context.ts";
import { cancelTranscription } from "../../services/transcriptions/cancel.ts";
import { failTranscription } from "../../services/transcriptions/end.ts";
import { planChunks } from "../../services/transcriptions/planChunks.ts";
import { pollTranscription } from "../../services/transcriptions/poll.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import { publishTranscript } from "../../services/transcriptions/publish.ts";
import { recordDecodedLength, recordDescription } from "../../services/transcriptions/settlePrice.ts";
import { submitTranscription } from "../../services/transcriptions/submit.ts";
import { readTranscript } from "../../services/transcripts/read.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext({ connections: 40 });
});
afterAll(() => context.close());

let videoNumber = 0;
const newVideoId = () => `video${String((videoNumber += 1)).padStart(6, "0")}`;
const submit = (caller: Caller, videoId: string) =>
  context.pool.transaction(async (tx) => (await submitTranscription(context, tx, caller, { videoId })).record);
const cancel = (caller: Caller, videoId: string) =>
  context.pool.transaction((tx) => cancelTranscription(context, tx, caller, videoId));
const used = async (caller: Caller) => (await readUsage(context, caller.accountId)).rows_used;
const describeVideo = (jobId: string, videoId: string, durationSeconds: number) =>
  recordDescription(
    context,
    jobId,
    {
      videoId,
      title: "A title",
      channel: { id: "ch", name: "Channel" },
      publishedAt: null,
      language: "en",
      durationSeconds,
    },
    "folder",
  );

async function runningJobId(videoId: string): Promise<string> {
  const job = await readRunningJob(context.pool, videoId);
  if (job === null) throw new Error(`no running job of ${videoId}`);
  return job.jobId;
}

async function expectLedgerToSumToUse(caller: Caller): Promise<void> {
  const entries = await listLedger(context.pool, caller.accountId, usagePeriod(context.clock()));
  expect(entries.reduce((sum, entry) => sum + entry.rows, 0)).toBe(await used(caller));
}

async function finish(videoId: string, durationSeconds: number): Promise<void> {
  const jobId = await runningJobId(videoId);
  await describeVideo(jobId, videoId, durationSeconds);
  await planChunks(context, jobId, [{ startSeconds: 0, endSeconds: durationSeconds }]);
  const segments = [{ text: "Hello there.", startSeconds: 0.5, endSeconds: 1.5, confidence: 0.9, words: [] }];
  await storeChunk(context.pool, { jobId, index: 0, segments, engineSeconds: 1, engine: "test" });
  await publishTranscript(context, new Gazetteer(), jobId);
}

describe("a submission", () => {
  it("holds one block while the length is unknown, and the real price once it is known", async () => {
    const caller = await createCaller(context);
    const videoId = newVideoId();
    const record = await submit(caller, videoId);
    expect(record).toMatchObject({ status: "queued", rowsCharged: 100, failureReason: null });
    expect(record.etaSeconds).toBeGreaterThan(0);
    const jobId = await runningJobId(videoId);
    expect(await describeVideo(jobId, videoId, 1801)).toBe("covered");
    expect(await describeVideo(jobId, videoId, 1801)).toBe("covered");
    expect(await used(caller)).toBe(300);
    expect(await recordDecodedLength(context, jobId, 899)).toBe("covered");
    expect(await used(caller)).toBe(100);
    await expectLedgerToSumToUse(caller);
  });

  it("holds the exact price at once when the length is known", async () => {
    const first = await createCaller(context);
    const videoId = newVideoId();
    await submit(first, videoId);
    await describeVideo(await runningJobId(videoId), videoId, 2000);
    await cancel(first, videoId);
    const second = await createCaller(context);
    expect(await submit(second, videoId)).toMatchObject({ rowsCharged: 300 });
  });

  it("cancels and refunds when the pool does not cover the real length", async () => {
    const caller = await createCaller(context, { rows: 250 });
    const videoId = newVideoId();
    await submit(caller, videoId);
    expect(await describeVideo(await runningJobId(videoId), videoId, 3000)).toBe("insufficient_rows");
    expect(await pollTranscription(context, caller, videoId)).toMatchObject({
      status: "canceled",
      cancelReason: "insufficient_rows",
      rowsCharged: 0,
      etaSeconds: 0,
    });
    expect(await used(caller)).toBe(0);
    await expectLedgerToSumToUse(caller);
  });

  it("is refused with a quote, leaving nothing behind, when the pool does not cover one block", async () => {
    const caller = await createCaller(context, { rows: 99 });
    const videoId = newVideoId();
    const refusal = await submit(caller, videoId).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InsufficientRows);
    expect(refusal).toMatchObject({
      quote: { rows: 100, blocks: 1, rowsPerBlock: 100, durationSeconds: null, rowsRemaining: 99 },
    });
    expect(await readRunningJob(context.pool, videoId)).toBeNull();
    expect(await used(caller)).toBe(0);
  });

  it("is charged once however many ask at once, on one account and on many", async () => {
    const payerCandidates = await Promise.all(Array.from({ length: 4 }, () => createCaller(context)));
    const videoId = newVideoId();
    const records = await Promise.all(
      Array.from({ length: 32 }, (_, index) => submit(payerCandidates[index % 4] ?? fail(), videoId)),
    );
    expect(new Set(records.map((record) => record.status))).toEqual(new Set(["queued"]));
    const charged = await Promise.all(payerCandidates.map(used));
    expect(charged.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 100]);
    const starts = await context.pool.anyFirst(sql.type(z.object({ id: z.bigint() }))`
      select id from outbox where subject = ${await runningJobId(videoId)}`);
    expect(starts).toHaveLength(1);
  });

  it("never debits more than the pool holds, under racing submissions", async () => {
    const caller = await createCaller(context, { rows: 550 });
    const outcomes = await Promise.allSettled(Array.from({ length: 32 }, () => submit(caller, newVideoId())));
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(5);
    const refusals = outcomes.filter((outcome) => outcome.status === "rejected");
    for (const { reason } of refusals) expect(reason).toMatchObject({ quote: { rows: 100, rowsRemaining: 50 } });
    expect(await used(caller)).toBe(500);
    await expectLedgerToSumToUse(caller);
  });
});

describe("an end", () => {
  it("captures the hold, unlocks for the submitter and leaves a joiner locked, even when it runs twice", async () => {
    const [submitter, joiner] = [await createCaller(context), await createCaller(context)];
    const videoId = newVideoId();
    await submit(submitter, videoId);
    expect(await submit(joiner, videoId)).toMatchObject({ rowsCharged: 0 });
    const jobId = await runningJobId(videoId);
    await finish(videoId, 60);
    expect(await publishTranscript(context, new Gazetteer(), jobId)).toBe("ended");
    expect(await pollTranscription(context, submitter, videoId)).toMatchObject({
      status: "completed",
      stage: "done",
      progress: 1,
      etaSeconds: 0,
      rowsCharged: 100,
    });
    expect(await readTranscript(context, submitter, videoId, { unlock: false })).toMatchObject({
      access: "unlocked",
      revision: 1,
    });
    expect(await readTranscript(context, joiner, videoId, { unlock: false })).toMatchObject({
      access: "locked",
      quote: { rows: 50 },
    });
    expect(await used(joiner)).toBe(0);
    await expectLedgerToSumToUse(submitter);
  });

  it("refunds in full, once, on failure and on cancel, and lets the video be submitted again", async () => {
    const caller = await createCaller(context);
    const videoId = newVideoId();
    await submit(caller, videoId);
    const jobId = await runningJobId(videoId);
    await failTranscription(context, jobId, "no_audio");
    await failTranscription(context, jobId, "no_audio");
    expect(await pollTranscription(context, caller, videoId)).toMatchObject({
      status: "failed",
      failureReason: "no_audio",
      rowsCharged: 0,
    });
    expect(await used(caller)).toBe(0);
    await submit(caller, videoId);
    expect(await cancel(caller, videoId)).toMatchObject({ status: "canceled", cancelReason: "requested" });
    expect(await cancel(caller, videoId)).toMatchObject({ status: "canceled" });
    expect(await used(caller)).toBe(0);
    await expectLedgerToSumToUse(caller);
  });

  it("is decided once when publishing and canceling race", async () => {
    for (let round = 0; round < 10; round += 1) {
      const caller = await createCaller(context);
      const videoId = newVideoId();
      await submit(caller, videoId);
      const [published, canceled] = await Promise.allSettled([finish(videoId, 60), cancel(caller, videoId)]);
      const { status, rowsCharged } = await pollTranscription(context, caller, videoId);
      expect(["completed", "canceled"]).toContain(status);
      expect(rowsCharged).toBe(status === "completed" ? 100 : 0);
      expect(await used(caller)).toBe(rowsCharged);
      expect([published.status, canceled.status]).toContain("fulfilled");
      expect(status === "completed" && canceled.status === "fulfilled").toBe(false);
      await expectLedgerToSumToUse(caller);
    }
  });
});

describe("an unlock", () => {
  it("is charged once for ever, also when 64 ask at once", async () => {
    const submitter = await createCaller(context);
    const reader = await createCaller(context);
    const videoId = newVideoId();
    await submit(submitter, videoId);
    await finish(videoId, 1000);
    const views = await Promise.all(
      Array.from({ length: 64 }, () => readTranscript(context, reader, videoId, { unlock: true })),
    );
    expect(new Set(views.map((view) => view.access))).toEqual(new Set(["unlocked"]));
    expect(await used(reader)).toBe(100);
    await expectLedgerToSumToUse(reader);
  });

  it("is refused with a quote when the pool cannot pay, and nothing is granted", async () => {
    const submitter = await createCaller(context);
    const reader = await createCaller(context, { rows: 10 });
    const videoId = newVideoId();
    await submit(submitter, videoId);
    await finish(videoId, 60);
    await expect(readTranscript(context, reader, videoId, { unlock: true })).rejects.toMatchObject({
      quote: { rows: 50, rowsRemaining: 10 },
    });
    expect(await readTranscript(context, reader, videoId, { unlock: false })).toMatchObject({
      access: "locked",
    });
  });

  it("is ignored and free where there is nothing to unlock", async () => {
    const reader = await createCaller(context);
    expect(await readTranscript(context, reader, newVideoId(), { unlock: true })).toMatchObject({
      access: "not_transcribed",
      quote: { rows: 100 },
    });
    expect(await used(reader)).toBe(0);
  });
});

function fail(): never {
  throw new Error("unreachable");
}
