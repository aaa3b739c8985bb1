import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.close());

let videos = 0;
function newVideoId(): string {
  videos += 1;
  return `abc_DEF-${String(videos).padStart(3, "0")}`;
}

const submit = (caller: NewKey, videoId: string) =>
  edge.call("POST", "/v1/transcriptions", { key: caller.key, body: { videoId } });

describe("a transcription", () => {
  it("is taken on with 202, a place to poll and a time to wait", async () => {
    const caller = await edge.newKey();
    const videoId = newVideoId();
    const answer = await submit(caller, videoId);
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({
      videoId,
      status: "queued",
      stage: "queued",
      progress: 0,
      rowsCharged: 100,
      failureReason: null,
      completedAt: null,
    });
    expect(answer.json.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(answer.headers.get("location")).toBe(`/v1/transcriptions/${videoId}`);
    expect(answer.headers.get("retry-after")).toBe(String(answer.json.nextPollSeconds));
    const polled = await edge.call("GET", answer.headers.get("location") ?? "", caller);
    expect(polled.headers.get("retry-after")).toBe(String(polled.json.nextPollSeconds));
    const me = await edge.call("GET", "/v1/me", caller);
    expect(me.json.usage).toMatchObject({ rows_used: 100, rows_remaining: 1_999_900 });
  });

  it("that the pool cannot pay in full is refused with the bare quote", async () => {
    const caller = await edge.newKey({ rows: 99 });
    const answer = await submit(caller, newVideoId());
    expect(answer.status).toBe(402);
    expect(answer.json).toEqual({
      error: "insufficient_rows",
      quote: { rows: 100, blocks: 1, rowsPerBlock: 100, durationSeconds: null, rowsRemaining: 99 },
    });
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
  });

  it("is canceled and refunded by its account, and unknown to others", async () => {
    const [caller, other] = [await edge.newKey(), await edge.newKey()];
    const videoId = newVideoId();
    await submit(caller, videoId);
    for (const method of ["GET", "DELETE"]) {
      const foreign = await edge.call(method, `/v1/transcriptions/${videoId}`, other);
      expect([foreign.status, foreign.json.error.code]).toEqual([404, "transcript_not_found"]);
    }
    const canceled = await edge.call("DELETE", `/v1/transcriptions/${videoId}`, caller);
    expect([canceled.status, canceled.json]).toEqual([
      200,
      expect.objectContaining({ id: videoId, deleted: true, status: "canceled", cancelReason: "requested" }),
    ]);
    const polled = await edge.call("GET", `/v1/transcriptions/${videoId}`, caller);
    expect([polled.json.status, polled.json.etaSeconds, polled.headers.get("retry-after")]).toEqual([
      "canceled",
      0,
      null,
    ]);
    expect((await edge.call("GET", "/v1/me", caller)).json.usage.rows_used).toBe(0);
  });

  it("that has ended otherwise cannot be canceled", async () => {
    const caller = await edge.newKey();
    const videoId = newVideoId();
    await submit(caller, videoId);
    await edge.context.pool.query(sql.typeAlias("void")`
      update transcription_job set status = 'failed', stage = 'done', failure_reason = 'no_audio', completed_at = now() where video_id = ${videoId}`);
    const answer = await edge.call("DELETE", `/v1/transcriptions/${videoId}`, caller);
    expect([answer.status, answer.json.error.code]).toEqual([409, "illegal_transition"]);
  });
});

describe("the list", () => {
  it("pages through all of the account's, newest first, none twice and none missing", async () => {
    const caller = await edge.newKey();
    const submitted = Array.from({ length: 5 }, newVideoId);
    for (const videoId of submitted) await submit(caller, videoId);
    const seen: string[] = [];
    let query = "limit=2";
    for (;;) {
      const page = await edge.call("GET", `/v1/transcriptions?${query}`, caller);
      seen.push(...page.json.data.map((job: { videoId: string }) => job.videoId));
      expect(page.json.has_more).toBe(page.json.next_cursor !== null);
      if (page.json.next_cursor === null) break;
      query = `limit=2&cursor=${page.json.next_cursor}`;
    }
    expect(seen).toEqual(submitted.toReversed());
  });

  it("takes only its own unaltered cursor, from its own account", async () => {
    const [caller, other] = [await edge.newKey(), await edge.newKey()];
    for (let index = 0; index < 2; index += 1) await submit(caller, newVideoId());
    const { next_cursor: cursor } = (await edge.call("GET", "/v1/transcriptions?limit=1", caller)).json;
    const altered = `${cursor[0] === "A" ? "B" : "A"}${cursor.slice(1)}`;
    const tries = [
      await edge.call("GET", `/v1/transcriptions?cursor=${cursor}`, other),
      await edge.call("GET", `/v1/transcriptions?cursor=${altered}`, caller),
      await edge.call("GET", `/v1/transcriptions?cursor=${cursor}%3D`, caller),
      await edge.call("GET", `/v1/transcriptions?cursor=AAAA`, caller),
    ];
    for (const { status, json } of tries) expect([status, json.error.code]).toEqual([400, "invalid_query"]);
  });
});
