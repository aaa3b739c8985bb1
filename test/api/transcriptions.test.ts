import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { answered, type Edge, type NewKey, startEdge } from "./edge.ts";

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
  edge.client(caller).POST("/v1/transcriptions", { body: { videoId } });
const poll = (caller: NewKey, videoId: string) =>
  edge.client(caller).GET("/v1/transcriptions/{video_id}", { params: { path: { video_id: videoId } } });
const rowsUsed = async (caller: NewKey) => answered(await edge.client(caller).GET("/v1/me")).data.usage.rows_used;

describe("a transcription", () => {
  it("is taken on with 202, a place to poll and a time to wait", async () => {
    const caller = await edge.newKey();
    const videoId = newVideoId();
    const answer = answered(await submit(caller, videoId));
    expect(answer.status).toBe(202);
    expect(answer.data).toMatchObject({
      videoId,
      status: "queued",
      stage: "queued",
      progress: 0,
      rowsCharged: 100,
      failureReason: null,
      completedAt: null,
    });
    expect(answer.data.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(answer.headers.get("location")).toBe(`/v1/transcriptions/${videoId}`);
    expect(answer.headers.get("retry-after")).toBe(String(answer.data.nextPollSeconds));
    const polled = answered(await poll(caller, videoId));
    expect(polled.headers.get("retry-after")).toBe(String(polled.data.nextPollSeconds));
    const me = answered(await edge.client(caller).GET("/v1/me"));
    expect(me.data.usage).toMatchObject({ rows_used: 100, rows_remaining: 1_999_900 });
  });

  it("that the pool cannot pay in full is refused with the bare quote", async () => {
    const caller = await edge.newKey({ rows: 99 });
    const { response, error } = await submit(caller, newVideoId());
    expect(response.status).toBe(402);
    expect(error).toEqual({
      error: "insufficient_rows",
      quote: { rows: 100, blocks: 1, rowsPerBlock: 100, durationSeconds: null, rowsRemaining: 99 },
    });
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  });

  it("is canceled and refunded by its account, and unknown to others", async () => {
    const [caller, other] = [await edge.newKey(), await edge.newKey()];
    const videoId = newVideoId();
    await submit(caller, videoId);
    for (const method of ["GET", "DELETE"]) {
      const foreign = await edge.call(method, `/v1/transcriptions/${videoId}`, other);
      expect([foreign.status, foreign.json.error.code]).toEqual([404, "transcript_not_found"]);
    }
    const path = { video_id: videoId };
    const canceled = answered(await edge.client(caller).DELETE("/v1/transcriptions/{video_id}", { params: { path } }));
    expect(canceled.data).toMatchObject({
      id: videoId,
      deleted: true,
      status: "canceled",
      cancelReason: "requested",
    });
    const polled = answered(await poll(caller, videoId));
    expect([polled.data.status, polled.data.etaSeconds, polled.headers.get("retry-after")]).toEqual([
      "canceled",
      0,
      null,
    ]);
    expect(await rowsUsed(caller)).toBe(0);
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
    let query: { limit: number; cursor?: string } = { limit: 2 };
    for (;;) {
      const page = answered(await edge.client(caller).GET("/v1/transcriptions", { params: { query } })).data;
      seen.push(...page.data.map((job) => job.videoId));
      expect(page.has_more).toBe(page.next_cursor !== null);
      if (page.next_cursor === null) break;
      query = { limit: 2, cursor: page.next_cursor };
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
