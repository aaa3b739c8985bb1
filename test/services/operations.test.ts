import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { readRunningJob, updateStage } from "../../database/transcriptionJobs.ts";
import { storeChunk } from "../../database/transcriptionChunks.ts";
import { Gazetteer } from "../../domain/detection/gazetteer.ts";
import type { Caller } from "../../services/context.ts";
import { readAccountUse } from "../../services/operations/readAccountUse.ts";
import { readJob } from "../../services/operations/readJob.ts";
import { redeliver } from "../../services/operations/redeliver.ts";
import { failTranscription } from "../../services/transcriptions/end.ts";
import { planChunks } from "../../services/transcriptions/planChunks.ts";
import { publishTranscript } from "../../services/transcriptions/publish.ts";
import { recordDecodedLength } from "../../services/transcriptions/settlePrice.ts";
import { submitTranscription } from "../../services/transcriptions/submit.ts";
import { createWatch, fireAlerts } from "../builders/alerts.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

let videos = 0;
async function submit(caller: Caller): Promise<string> {
  videos += 1;
  const videoId = `ovideo${String(videos).padStart(5, "0")}`;
  await context.pool.transaction((transaction) => submitTranscription(context, transaction, caller, { videoId }));
  const job = await readRunningJob(context.pool, videoId);
  return job?.jobId ?? "";
}

describe("a job", () => {
  it("is told of while it runs: what is recognised, how long it will take, what it holds", async () => {
    const jobId = await submit(await createCaller(context));
    await updateStage(context.pool, jobId, "recognising");
    await recordDecodedLength(context, jobId, 1000);
    await planChunks(context, jobId, [
      { startSeconds: 0, endSeconds: 250 },
      { startSeconds: 250, endSeconds: 1000 },
    ]);
    await storeChunk(context.pool, { jobId, index: 0, segments: [], engineSeconds: 25, engine: "test" });
    const report = await readJob(context, jobId);
    expect(report).toMatchObject({
      job: { status: "processing", stage: "recognising", chunkCount: 2, chunksRecognised: 1, durationSeconds: 1000 },
      rows: { held: 200, refunded: 0, charged: 200 },
      etaSeconds: 75,
    });
    expect(report.progress).toBeCloseTo(0.05 + 0.9 * 0.25);
  });

  it("has the price that was settled once it is done, and what came of it", async () => {
    const jobId = await submit(await createCaller(context));
    await updateStage(context.pool, jobId, "recognising");
    await recordDecodedLength(context, jobId, 2000);
    await recordDecodedLength(context, jobId, 1000);
    await planChunks(context, jobId, [{ startSeconds: 0, endSeconds: 1000 }]);
    const segments = [{ text: "Hello there.", startSeconds: 0.5, endSeconds: 1.5, confidence: 0.9, words: [] }];
    await storeChunk(context.pool, { jobId, index: 0, segments, engineSeconds: 50, engine: "test" });
    await publishTranscript(context, new Gazetteer(), jobId);
    expect(await readJob(context, jobId)).toMatchObject({
      job: { status: "completed", engineSeconds: 50 },
      progress: 1,
      etaSeconds: null,
      rows: { held: 300, refunded: 100, charged: 200 },
      entries: [{ rows: 100 }, { rows: 200 }, { rows: -100 }, { kind: "capture", rows: 0 }],
    });
  });
});

const net = (moved: readonly { takenRows: number; returnedRows: number }[]) =>
  moved.reduce((sum, { takenRows, returnedRows }) => sum + takenRows - returnedRows, 0);

describe("the use of an account", () => {
  it("by day and by reason sums to the use of its month", async () => {
    const caller = await createCaller(context);
    const jobIds = [await submit(caller), await submit(caller), await submit(caller)];
    await failTranscription(context, jobIds[1] ?? "", "no_audio");
    const { usage, days, reasons, months } = await readAccountUse(context, caller.accountId, null);
    expect([usage.rowsUsed, net(days), net(reasons), months.at(-1)?.rowsUsed]).toEqual([200, 200, 200, 200]);
    expect(months).toHaveLength(12);
  });

  it("is not there without the account", async () => {
    await expect(readAccountUse(context, "usr_0", null)).rejects.toMatchObject({ code: "account_not_found" });
  });
});

const sentAgain = (monitorId: string) =>
  context.pool.anyFirst(sql.type(z.object({ occurrence_id: z.string() }))`
    select occurrence_id from alert_delivery where monitor_id = ${monitorId} and purpose = 'redelivery' order by id`);

describe("a redelivery by an operator", () => {
  const operator = { keyId: "key_operator", once: "one-press" };

  it("is done once for a wish, and a wish is one operator's and one thing", async () => {
    const caller = await createCaller(context);
    const { monitorId, entityId } = await createWatch(context, caller, {
      notifyWebhook: true,
      webhookUrl: "https://hooks.example.com/in",
    });
    const [alertId = "", otherId = ""] = await fireAlerts(context, { entityId }, 2);
    const request = { kind: "alert", monitorId, alertId } as const;
    await expect(redeliver(context, operator, request)).rejects.toMatchObject({ code: "illegal_transition" });
    await context.pool.query(sql.typeAlias("void")`
      update alert_occurrence set begun_at = now(), status = 'delivered' where monitor_id = ${monitorId}`);
    expect(await redeliver(context, operator, request)).toEqual({ count: 1, isRepeat: false });
    expect(await redeliver(context, operator, request)).toEqual({ count: 1, isRepeat: true });
    await expect(redeliver(context, operator, { ...request, alertId: otherId })).rejects.toMatchObject({
      code: "idempotency_conflict",
    });
    expect(await sentAgain(monitorId)).toEqual([alertId]);
    const colleague = { ...operator, keyId: "key_colleague" };
    expect(await redeliver(context, colleague, request)).toEqual({ count: 1, isRepeat: false });
    const span = { kind: "span", monitorId, from: new Date(Date.now() - 60_000), to: new Date() } as const;
    expect(await redeliver(context, { ...operator, once: "another" }, span)).toEqual({ count: 1, isRepeat: false });
    expect(await sentAgain(monitorId)).toEqual([alertId, alertId, otherId]);
  });

  it("is refused where there is no such monitor or alert", async () => {
    const request = { kind: "alert", monitorId: "mon_0", alertId: "alr_0" } as const;
    const wish = { ...operator, once: "of-nothing" };
    await expect(redeliver(context, wish, request)).rejects.toMatchObject({ code: "monitor_not_found" });
    const { monitorId } = await createWatch(context, await createCaller(context));
    await expect(redeliver(context, wish, { ...request, monitorId })).rejects.toMatchObject({
      code: "alert_not_found",
    });
  });
});
