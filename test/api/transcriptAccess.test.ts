import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { endJob, readRunningJob } from "../../database/transcriptionJobs.ts";
import { insertTranscript, insertUnlock } from "../../database/transcripts.ts";
import { updateAccount } from "../../services/accounts/updateAccount.ts";
import { failTranscription } from "../../services/transcriptions/end.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { finishTranscript } from "../builders/finishedTranscript.ts";
import { talk } from "../builders/speech.ts";
import { answered, type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ connections: 20 });
});
afterAll(() => edge.close());

let videos = 0;
const newVideoId = () => `access-${String((videos += 1)).padStart(4, "0")}`;

const read = (caller: NewKey, videoId: string, query = "") =>
  edge.call("GET", `/v1/transcripts/${videoId}${query}`, { key: caller.key });
const unlock = (caller: NewKey, videoId: string) => read(caller, videoId, "?unlock=true");
const submit = async (caller: NewKey, videoId: string) =>
  answered(await edge.client(caller).POST("/v1/transcriptions", { body: { videoId } }));
const rowsUsed = async (caller: NewKey) => answered(await edge.client(caller).GET("/v1/me")).data.usage.rows_used;

/** A finished transcript of so many seconds, and who submitted it. */
async function finished(durationSeconds = 120): Promise<{ videoId: string; submitter: NewKey }> {
  const [videoId, submitter] = [newVideoId(), await edge.newKey()];
  await submit(submitter, videoId);
  await finishTranscript(edge.context, videoId, undefined, { ...talk(20), durationSeconds });
  return { videoId, submitter };
}

describe("access", () => {
  it("is not_transcribed of a video that nobody asked for: a quote to have it made, and unlock=true is ignored", async () => {
    const caller = await edge.newKey();
    const answer = await unlock(caller, newVideoId());
    expect([answer.status, answer.json]).toEqual([
      200,
      expect.objectContaining({
        access: "not_transcribed",
        revision: null,
        seq: null,
        segments: null,
        preliminaryScan: null,
        quote: { rows: 100, blocks: 1, rowsPerBlock: 100, durationSeconds: null, rowsRemaining: 2_000_000 },
        unlockedAt: null,
      }),
    ]);
    expect(await rowsUsed(caller)).toBe(0);
  });

  it("is not_transcribed of one that was scanned: counts by type, and the price of its length", async () => {
    const caller = await edge.newKey();
    const videoId = await createVideo(edge.context, { videoId: newVideoId(), durationSeconds: 1801 });
    const person = await createEntity(edge.context, { type: "person" });
    const brand = await createEntity(edge.context, { type: "brand" });
    await createMention(edge.context, { videoId, entityId: person });
    await createMention(edge.context, { videoId, entityId: person, startSeconds: 20 });
    await createMention(edge.context, { videoId, entityId: brand });
    const { json } = await read(caller, videoId);
    expect(json).toMatchObject({
      access: "not_transcribed",
      preliminaryScan: {
        entityCounts: { person: 1, organization: 1, product: 0, topic: 0, channel: 0 },
        totalEntities: 2,
      },
      quote: { rows: 300, blocks: 3, rowsPerBlock: 100, durationSeconds: 1801 },
    });
  });

  it("is premium_pending for everybody while the job runs, whoever pays: when to come back, and nothing to buy", async () => {
    const [submitter, other] = [await edge.newKey(), await edge.newKey()];
    const videoId = await createVideo(edge.context, { videoId: newVideoId() });
    await createMention(edge.context, { videoId, entityId: await createEntity(edge.context, { type: "topic" }) });
    await submit(submitter, videoId);
    for (const caller of [submitter, other]) {
      const { json, headers } = await unlock(caller, videoId);
      expect(json).toMatchObject({
        access: "premium_pending",
        segments: null,
        preliminaryScan: { entityCounts: { topic: 1 }, totalEntities: 1 },
        quote: null,
        unlockedAt: null,
      });
      expect(json.etaSeconds).toBeGreaterThan(0);
      expect(json.nextPollSeconds).toBeGreaterThanOrEqual(2);
      expect(headers.get("retry-after")).toBe(String(json.nextPollSeconds));
    }
    expect([await rowsUsed(submitter), await rowsUsed(other)]).toEqual([100, 0]);
  });

  it("goes back to not_transcribed when the job fails or is canceled, all rows given back", async () => {
    const caller = await edge.newKey();
    const videoId = newVideoId();
    await submit(caller, videoId);
    const job = await readRunningJob(edge.context.pool, videoId);
    await failTranscription(edge.context, job?.jobId ?? "", "no_audio");
    expect((await read(caller, videoId)).json).toMatchObject({ access: "not_transcribed", quote: { rows: 100 } });
    expect(await rowsUsed(caller)).toBe(0);
    await submit(caller, videoId);
    expect((await read(caller, videoId)).json.access).toBe("premium_pending");
    expect((await edge.call("DELETE", `/v1/transcriptions/${videoId}`, caller)).status).toBe(200);
    expect((await read(caller, videoId)).json.access).toBe("not_transcribed");
    expect(await rowsUsed(caller)).toBe(0);
  });

  it("is unlocked at the end for the submitter, whose price includes it, and locked for one who joined for nothing", async () => {
    const [submitter, joiner] = [await edge.newKey(), await edge.newKey()];
    const videoId = newVideoId();
    await submit(submitter, videoId);
    await submit(joiner, videoId);
    await finishTranscript(edge.context, videoId);
    const own = (await unlock(submitter, videoId)).json;
    expect(own).toMatchObject({ access: "unlocked", revision: 1, seq: 0, quote: null, preliminaryScan: null });
    expect(own.unlockedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((await read(joiner, videoId)).json).toMatchObject({
      access: "locked",
      revision: 1,
      segments: null,
      preliminaryScan: { totalEntities: 0 },
      quote: { rows: 50, blocks: 1, rowsPerBlock: 50, durationSeconds: 120 },
      unlockedAt: null,
    });
    expect([await rowsUsed(submitter), await rowsUsed(joiner)]).toEqual([100, 0]);
    await submit(joiner, videoId);
    expect([(await read(joiner, videoId)).json.access, await rowsUsed(joiner)]).toEqual(["locked", 0]);
  });

  it("never seems not_transcribed while the job ends with a transcript", async () => {
    const submitter = await edge.newKey();
    const videoId = newVideoId();
    await submit(submitter, videoId);
    const { jobId } = (await readRunningJob(edge.context.pool, videoId)) ?? fail();
    const seen = await edge.context.pool.transaction(async (transaction) => {
      await transaction.query(sql.typeAlias("void")`lock table transcription_job in access exclusive mode`);
      const reading = read(submitter, videoId);
      const waits = sql.typeAlias(
        "void",
      )`select from pg_locks where not granted and relation = 'transcription_job'::regclass`;
      while (!(await transaction.exists(waits))) await sleep(5);
      await insertTranscript(transaction, {
        videoId,
        jobId,
        language: null,
        source: "speech",
        engine: "test",
        ...talk(20),
      });
      await insertUnlock(transaction, { accountId: submitter.accountId, videoId, rows: 100 });
      await endJob(transaction, jobId, { status: "completed" });
      return { reading };
    });
    expect((await seen.reading).json.access).toBe("unlocked");
  });

  it("is 401 without a key; clients that switch on `unauthenticated` find it in the document", async () => {
    const keyless = await edge.call("GET", `/v1/transcripts/${newVideoId()}`);
    expect([keyless.status, keyless.json.error.code]).toEqual([401, "invalid_api_key"]);
    const { components } = (await edge.call("GET", "/v1/openapi.json")).json;
    expect(components.schemas.Transcript.properties.access.enum.toSorted()).toEqual(
      ["unlocked", "locked", "premium_pending", "not_transcribed", "unauthenticated"].toSorted(),
    );
  });
});

describe("an unlock", () => {
  it.each([
    [900, 50],
    [900.5, 100],
    [36_000, 2000],
  ])("of %d seconds costs every started block once, for ever", async (durationSeconds, rows) => {
    const { videoId } = await finished(durationSeconds);
    const caller = await edge.newKey();
    expect((await read(caller, videoId)).json.quote).toMatchObject({ rows, durationSeconds });
    const bought = (await unlock(caller, videoId)).json;
    expect(bought).toMatchObject({ access: "unlocked", quote: null });
    expect(bought.segments).not.toHaveLength(0);
    const again = (await unlock(caller, videoId)).json;
    expect([again.access, again.unlockedAt]).toEqual(["unlocked", bought.unlockedAt]);
    expect((await read(caller, videoId)).json.access).toBe("unlocked");
    expect(await rowsUsed(caller)).toBe(rows);
  });

  it("belongs to the account, not to the key or to others", async () => {
    const { videoId } = await finished();
    const [buyer, other] = [await edge.newKey(), await edge.newKey()];
    await unlock(buyer, videoId);
    expect((await read(other, videoId)).json.access).toBe("locked");
  });

  it("is charged once when 64 ask at once, and each of them gets the text", async () => {
    const { videoId } = await finished();
    const buyer = await edge.newKey();
    const answers = await Promise.all(Array.from({ length: 64 }, () => unlock(buyer, videoId)));
    expect(answers.map(({ status, json }) => [status, json.access])).toEqual(
      Array.from({ length: 64 }, () => [200, "unlocked"]),
    );
    expect(await rowsUsed(buyer)).toBe(50);
    expect(edge.log.filter(({ accountId, rows }) => accountId === buyer.accountId && rows === 50)).toHaveLength(1);
  });

  it("that racing accounts buy is charged to each of them once", async () => {
    const { videoId } = await finished();
    const buyers = await Promise.all(Array.from({ length: 4 }, () => edge.newKey()));
    await Promise.all(Array.from({ length: 32 }, (_, index) => unlock(buyers[index % 4] ?? fail(), videoId)));
    expect(await Promise.all(buyers.map(rowsUsed))).toEqual([50, 50, 50, 50]);
  });

  it("spends the last rows on one of two, and refuses the other with its price", async () => {
    const [one, other] = [await finished(), await finished()];
    const buyer = await edge.newKey({ rows: 99 });
    const answers = await Promise.all(
      [one, other].flatMap(({ videoId }) => [unlock(buyer, videoId), unlock(buyer, videoId)]),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 402, 402]);
    for (const { json } of answers.filter(({ status }) => status === 402))
      expect(json).toEqual({
        error: "insufficient_rows",
        quote: { rows: 50, blocks: 1, rowsPerBlock: 50, durationSeconds: 120, rowsRemaining: 49 },
      });
    expect(await rowsUsed(buyer)).toBe(50);
  });

  it("that was refused grants nothing, and succeeds once there are rows", async () => {
    const { videoId } = await finished(1000);
    const buyer = await edge.newKey({ rows: 99 });
    expect((await unlock(buyer, videoId)).status).toBe(402);
    expect((await read(buyer, videoId)).json).toMatchObject({
      access: "locked",
      quote: { rows: 100, rowsRemaining: 99 },
    });
    await updateAccount(edge.context, buyer.accountId, { monthlyRows: 100 });
    expect((await unlock(buyer, videoId)).json.access).toBe("unlocked");
  });

  it("is paid by on-demand rows past the pool, up to the cap", async () => {
    const { videoId } = await finished();
    const [open, capped] = [
      await edge.newKey({ rows: 10, onDemand: true }),
      await edge.newKey({ rows: 10, onDemand: true, spendCapCents: 1 }),
    ];
    expect((await unlock(open, videoId)).json.access).toBe("unlocked");
    expect((await unlock(capped, videoId)).status).toBe(402);
    expect([await rowsUsed(open), await rowsUsed(capped)]).toEqual([50, 0]);
  });

  it("has its price named by dry_run, which buys nothing", async () => {
    const { videoId, submitter } = await finished();
    const caller = await edge.newKey();
    const quotes = [
      await read(caller, videoId, "?dry_run=true"),
      await read(caller, videoId, "?dry_run=true&unlock=true"),
    ];
    expect(quotes.map(({ json }) => json.quote)).toEqual([
      { rows: 0, count: 0, rows_remaining: 2_000_000 },
      { rows: 50, count: 1, rows_remaining: 2_000_000 },
    ]);
    expect((await read(caller, videoId)).json.access).toBe("locked");
    expect((await read(submitter, videoId, "?dry_run=true&unlock=true")).json.quote).toMatchObject({
      rows: 0,
      count: 1,
    });
  });

  it("can ask for subtitles at once; locked ones are refused", async () => {
    const { videoId } = await finished();
    const caller = await edge.newKey();
    const refused = await read(caller, videoId, "?format=vtt");
    expect([refused.status, refused.json.error.code]).toEqual([403, "transcript_locked"]);
    const bought = await read(caller, videoId, "?format=vtt&unlock=true");
    expect([bought.status, bought.text.slice(0, 6)]).toEqual([200, "WEBVTT"]);
    expect(await rowsUsed(caller)).toBe(50);
  });
});

function fail(): never {
  throw new Error("unreachable");
}
