import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { finishTranscript } from "../builders/finishedTranscript.ts";
import type { operations } from "../client/api.d.ts";
import { answered, type Edge, type NewKey, startEdge } from "./edge.ts";

const videoId = "finished_01";
let edge: Edge;
let owner: NewKey;
let other: NewKey;
beforeAll(async () => {
  edge = await startEdge();
  [owner, other] = [await edge.newKey(), await edge.newKey()];
  answered(await edge.client(owner).POST("/v1/transcriptions", { body: { videoId } }));
  await finishTranscript(edge.context, videoId);
});
afterAll(() => edge.close());

type Query = NonNullable<operations["getTranscript"]["parameters"]["query"]>;

/** The transcript in JSON, as a client reads it. */
async function transcript(caller: NewKey, query: Query = {}, id = videoId) {
  const answer = answered(
    await edge.client(caller).GET("/v1/transcripts/{video_id}", { params: { path: { video_id: id }, query } }),
  );
  if (typeof answer.data === "string" || !("access" in answer.data)) throw new Error("the transcript is not in JSON");
  return { ...answer, data: answer.data };
}

const read = (caller: NewKey, query = "", headers: Record<string, string> = {}) =>
  edge.call("GET", `/v1/transcripts/${videoId}${query}`, { key: caller.key, headers });

describe("an unlocked transcript", () => {
  it("has its segments with hashes, and words only where asked for", async () => {
    const { data } = await transcript(owner);
    expect(data).toMatchObject({
      videoId,
      access: "unlocked",
      revision: 1,
      seq: 0,
      title: "A title",
      channel: { id: "ch", name: "Channel" },
      quote: null,
    });
    expect(data.segments?.[0]).toMatchObject({
      index: 0,
      text: "hello world",
      contentHash: "eslcxt",
      speakerId: null,
      edited: false,
    });
    expect(data.segments?.[0]?.words).toBeUndefined();
    const withWords = await transcript(owner, { include: "words" });
    expect(withWords.data.segments?.[0]?.words).toEqual([
      { text: "hello", startSeconds: 0.5, endSeconds: 0.9, confidence: 0.8 },
    ]);
  });

  it("comes as subtitles and as text", async () => {
    const formats = ["srt", "vtt", "txt"].map(async (format) => {
      const answer = await read(owner, `?format=${format}`);
      return [answer.headers.get("content-type"), answer.text];
    });
    expect(await Promise.all(formats)).toEqual([
      [
        "application/x-subrip; charset=utf-8",
        expect.stringContaining("1\n00:00:00,500 --> 00:00:01,500\nhello world\n"),
      ],
      [
        "text/vtt; charset=utf-8",
        expect.stringMatching(/^WEBVTT\n\n00:00:00.500 --> 00:00:01.500\nhello world\n\n.*\nR&amp;B &lt;later&gt;\n$/),
      ],
      ["text/plain; charset=utf-8", "hello world\nR&B <later>\n"],
    ]);
  });

  it("is cut to a stretch of time or a speaker", async () => {
    const texts = async (query: Query) => (await transcript(owner, query)).data.segments?.map(({ text }) => text);
    expect(await texts({ start: 1.5 })).toEqual(["R&B <later>"]);
    expect(await texts({ end: 60 })).toEqual(["hello world"]);
    expect(await texts({ start: 0, end: 61 })).toHaveLength(2);
    expect(await texts({ speaker: "spk_1" })).toEqual([]);
    expect((await read(owner, "?start=5&end=5")).json.error.code).toBe("invalid_query");
  });

  it("is not sent again to who has it, and each form of it has a tag of its own", async () => {
    const first = await read(owner);
    const etag = first.headers.get("etag") ?? "";
    const again = await read(owner, "", { "if-none-match": `"other", ${etag}` });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    const forms = await Promise.all(
      ["", "?include=words", "?format=srt", "?start=1"].map((query) => read(owner, query)),
    );
    expect(new Set(forms.map(({ headers }) => headers.get("etag"))).size).toBe(4);
    expect((await read(owner, "?format=srt", { "if-none-match": etag })).status).toBe(200);
  });
});

describe("a transcript of others", () => {
  it("is locked with a quote, and has no text in any format", async () => {
    const { status, data } = await transcript(other);
    expect([status, data.access, data.segments]).toEqual([200, "locked", null]);
    expect(data.quote).toEqual({
      rows: 50,
      blocks: 1,
      rowsPerBlock: 50,
      durationSeconds: 120,
      rowsRemaining: 2_000_000,
    });
    const text = await read(other, "?format=txt");
    expect([text.status, text.json.error.code]).toEqual([403, "transcript_locked"]);
  });

  it("has its price named by dry_run, which buys nothing", async () => {
    const [reading, unlock] = [await read(other, "?dry_run=true"), await read(other, "?dry_run=true&unlock=true")];
    expect(reading.json.quote).toEqual({ rows: 0, count: 0, rows_remaining: 2_000_000 });
    expect(unlock.json.quote).toEqual({ rows: 50, count: 1, rows_remaining: 2_000_000 });
    expect((await transcript(other)).data.access).toBe("locked");
    expect((await read(owner, "?dry_run=true")).json.quote).toMatchObject({ rows: 0, count: 1 });
  });

  it("is refused with the bare quote when they cannot pay", async () => {
    const poor = await edge.newKey({ rows: 49 });
    const answer = await read(poor, "?unlock=true");
    expect([answer.status, answer.json.error, answer.json.quote.rowsRemaining]).toEqual([402, "insufficient_rows", 49]);
  });

  it("is theirs once they unlock it, charged once under a race", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => transcript(other, { unlock: true })));
    expect(answers.map(({ data }) => data.access)).toEqual(Array.from({ length: 8 }, () => "unlocked"));
    expect(answered(await edge.client(other).GET("/v1/me")).data.usage.rows_used).toBe(50);
  });
});

describe("a video without a transcript", () => {
  it("is 200 with a quote, and has no text formats", async () => {
    const { status, data } = await transcript(owner, {}, "never_asked");
    expect([status, data.access, data.segments, data.preliminaryScan]).toEqual([200, "not_transcribed", null, null]);
    const text = await edge.call("GET", "/v1/transcripts/never_asked?format=vtt", owner);
    expect([text.status, text.json.error.code]).toEqual([404, "transcript_not_found"]);
  });

  it("that is being transcribed says when to come back", async () => {
    answered(await edge.client(owner).POST("/v1/transcriptions", { body: { videoId: "in_progress" } }));
    const { headers, data } = await transcript(other, {}, "in_progress");
    expect(data).toMatchObject({ access: "premium_pending", segments: null, quote: null });
    expect(headers.get("retry-after")).toBe(String(data.nextPollSeconds));
  });
});
