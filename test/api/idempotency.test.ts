import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { purgeIdempotencyKeys } from "../../services/idempotency/purge.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let now = new Date();
let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({
    clock: () => now,
    connections: 40,
    settings: { rateLimitPerMinute: { enterprise: 100_000 } },
  });
});
afterAll(() => edge.close());

let videos = 0;
function newVideoId(): string {
  videos += 1;
  return `video_${String(videos).padStart(5, "0")}`;
}

function submit(caller: NewKey, idempotencyKey: string, videoId: string, body: Record<string, unknown> = {}) {
  return edge.call("POST", "/v1/transcriptions", {
    key: caller.key,
    headers: { "idempotency-key": idempotencyKey },
    body: { videoId, ...body },
  });
}

/** Each submission of a new video holds rows once: the effect that must not happen twice. */
async function holds(caller: NewKey): Promise<number> {
  const [entries] = await edge.context.pool.many(sql.type(z.object({ entries: z.bigint() }))`
    select count(*) as entries from ledger_entry where account_id = ${caller.accountId} and kind = 'hold'`);
  return Number(entries?.entries);
}

describe("a repeat with the same key", () => {
  it("gets the first response byte for byte, marked as replayed, without a second effect", async () => {
    const caller = await edge.newKey();
    const videoId = newVideoId();
    const first = await submit(caller, "retry me", videoId);
    await edge.context.pool.query(
      sql.typeAlias("void")`update transcription_job set stage = 'fetching' where video_id = ${videoId}`,
    );
    const second = await submit(caller, "retry me", videoId);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.text).toBe(first.text);
    for (const name of ["content-type", "location", "retry-after"])
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect([first.headers.get("idempotency-replayed"), second.headers.get("idempotency-replayed")]).toEqual([
      null,
      "true",
    ]);
    expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    expect(await holds(caller)).toBe(1);
  });

  it("but another body, query or path is a conflict", async () => {
    const caller = await edge.newKey();
    const videoId = newVideoId();
    await submit(caller, "k", videoId);
    const otherBody = await submit(caller, "k", videoId, { priority: "high" });
    const otherPath = await edge.call("DELETE", `/v1/transcriptions/${videoId}`, {
      key: caller.key,
      headers: { "idempotency-key": "k" },
    });
    for (const answer of [otherBody, otherPath])
      expect([answer.status, answer.json.error.code]).toEqual([409, "idempotency_conflict"]);
  });

  it("of another account is a different key", async () => {
    const [one, other] = [await edge.newKey(), await edge.newKey()];
    const answers = [await submit(one, "shared", newVideoId()), await submit(other, "shared", newVideoId())];
    expect(answers.map((answer) => answer.headers.get("idempotency-replayed"))).toEqual([null, null]);
  });

  it("after a failure is tried afresh", async () => {
    const caller = await edge.newKey({ rows: 50 });
    const videoId = newVideoId();
    const poor = await submit(caller, "later", videoId);
    expect([poor.status, poor.json.error]).toEqual([402, "insufficient_rows"]);
    await edge.context.pool.query(
      sql.typeAlias("void")`update account set monthly_rows = 5000 where id = ${caller.accountId}`,
    );
    const rich = await submit(caller, "later", videoId);
    expect([rich.status, rich.headers.get("idempotency-replayed")]).toEqual([202, null]);
  });

  it("after the retention is a new request, and old keys are purged in bounded batches", async () => {
    const caller = await edge.newKey();
    const videoId = newVideoId();
    await submit(caller, "old", videoId);
    await submit(caller, "older", newVideoId());
    now = new Date(now.getTime() + 86_400_000 + 1000);
    const again = await submit(caller, "old", videoId, { priority: "high" });
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([202, null]);
    const purged = [await purgeIdempotencyKeys(edge.context, 1)];
    while (purged.at(-1)?.more === true) purged.push(await purgeIdempotencyKeys(edge.context, 1));
    expect(Math.max(...purged.map(({ deleted }) => deleted))).toBe(1);
    expect((await submit(caller, "old", videoId, { priority: "high" })).headers.get("idempotency-replayed")).toBe(
      "true",
    );
  });
});

it("32 requests at once with one key have one effect; the others replay it or are told to wait", async () => {
  const caller = await edge.newKey();
  const videoId = newVideoId();
  const answers = await Promise.all(Array.from({ length: 32 }, () => submit(caller, "race", videoId)));
  const done = answers.filter(({ status }) => status === 202);
  expect(done.filter(({ headers }) => headers.get("idempotency-replayed") === null)).toHaveLength(1);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  for (const { status, headers, json } of answers.filter((answer) => answer.status !== 202)) {
    expect([status, json.error.code, headers.get("retry-after")]).toEqual([409, "idempotency_in_progress", "1"]);
  }
  expect(await holds(caller)).toBe(1);
});

it("commits with its effect: neither is there without the other", async () => {
  const caller = await edge.newKey();
  await edge.context.pool.query(
    sql.unsafe`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
  );
  await edge.context.pool.query(
    sql.unsafe`create trigger refuse before insert on idempotency_key for each row execute function refuse()`,
  );
  const failed = await submit(caller, "atomic", newVideoId());
  await edge.context.pool.query(sql.unsafe`drop trigger refuse on idempotency_key`);
  expect(failed.status).toBe(500);
  expect(await holds(caller)).toBe(0);
});

describe("a malformed key", () => {
  it.each(["", "x".repeat(256), "tab\there", "naïve"])("%j is refused", async (key) => {
    const caller = await edge.newKey();
    const posted = await submit(caller, key, newVideoId());
    expect([posted.status, posted.json.error.code]).toEqual([400, "invalid_body"]);
    const deleted = await edge.call("DELETE", "/v1/transcriptions/AAAAAAAAAAA", {
      key: caller.key,
      headers: { "idempotency-key": key },
    });
    expect([deleted.status, deleted.json.error.code]).toEqual([400, "invalid_query"]);
  });

  it("of 255 printable characters is fine", async () => {
    expect((await submit(await edge.newKey(), `~ ${"x".repeat(253)}`, newVideoId())).status).toBe(202);
  });
});

it("is taken on DELETE too", async () => {
  const caller = await edge.newKey();
  const videoId = newVideoId();
  await submit(caller, "create", videoId);
  const cancel = () =>
    edge.call("DELETE", `/v1/transcriptions/${videoId}`, { key: caller.key, headers: { "idempotency-key": "cancel" } });
  const [first, second] = [await cancel(), await cancel()];
  expect(first.json).toMatchObject({ id: videoId, deleted: true, status: "canceled", rowsCharged: 0 });
  expect([second.text, second.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
});
