import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createTranscript, finishTranscript } from "../builders/finishedTranscript.ts";
import { talk } from "../builders/speech.ts";
import type { operations } from "../client/api.d.ts";
import { answered, type Edge, type NewKey, startEdge } from "./edge.ts";

const videoId = "finished_01";
let edge: Edge;
let owner: NewKey;
let statements = 0;
beforeAll(async () => {
  edge = await startEdge({ onStatement: () => (statements += 1) });
  owner = await edge.newKey();
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
      durationSeconds: 120,
      language: "en",
      channel: { id: "ch", name: "Channel" },
      speakers: [],
      quote: null,
    });
    expect(data.segments?.[0]).toMatchObject({
      index: 0,
      text: "hello world",
      contentHash: "eslcxt",
      speakerId: null,
      edited: false,
      entities: [],
    });
    expect(data.segments?.[0]?.words).toBeUndefined();
    const withWords = await transcript(owner, { include: "words" });
    expect(withWords.data.segments?.map(({ words }) => words)).toEqual([
      [{ text: "hello", startSeconds: 0.5, endSeconds: 0.9, confidence: 0.8 }],
      [],
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
        "1\n00:00:00,500 --> 00:00:01,500\nhello world\n\n2\n00:01:00,000 --> 00:01:01,250\nR&B <later>\n",
      ],
      [
        "text/vtt; charset=utf-8",
        "WEBVTT\n\n00:00:00.500 --> 00:00:01.500\nhello world\n\n00:01:00.000 --> 00:01:01.250\nR&amp;B &lt;later&gt;\n",
      ],
      ["text/plain; charset=utf-8", "hello world\nR&B <later>\n"],
    ]);
  });

  it("is cut to a stretch of time or a speaker, in every format, and keeps its indexes", async () => {
    const cut = async (query: Query) =>
      (await transcript(owner, query)).data.segments?.map(({ index, text }) => [index, text]);
    expect(await cut({ start: 1.5 })).toEqual([[1, "R&B <later>"]]);
    expect(await cut({ end: 60 })).toEqual([[0, "hello world"]]);
    expect(await cut({ start: 0, end: 61 })).toHaveLength(2);
    expect(await cut({ start: 2, end: 3 })).toEqual([]);
    expect(await cut({ speaker: "spk_1" })).toEqual([]);
    expect((await transcript(owner, { start: 1, include: "words" })).data.segments?.[0]?.words).toHaveLength(1);
    const texts = ["txt", "vtt", "srt"].map(async (format) => (await read(owner, `?format=${format}&start=1.5`)).text);
    expect(await Promise.all(texts)).toEqual([
      "R&B <later>\n",
      "WEBVTT\n\n00:01:00.000 --> 00:01:01.250\nR&amp;B &lt;later&gt;\n",
      "1\n00:01:00,000 --> 00:01:01,250\nR&B <later>\n",
    ]);
    expect((await read(owner, "?format=txt&end=0.5")).text).toBe("");
  });

  it("refuses what it does not know", async () => {
    const wrong = ["start=5&end=5", "start=-1", "format=pdf", "include=speakers", "speaker=", "q=hello", "unlock=1"];
    for (const query of wrong) {
      const { status, json } = await read(owner, `?${query}`);
      expect([query, status, json.error.code]).toEqual([query, 400, "invalid_query"]);
    }
    for (const format of ["srt", "vtt", "txt"]) {
      const { status, json } = await read(owner, `?include=words&format=${format}`);
      expect([status, json.error.code]).toEqual([400, "invalid_query"]);
      expect(json.error.message).toMatch(/`include`.*format=json/);
    }
    const slug = await edge.call("GET", "/v1/transcripts/some-talk", owner);
    expect([slug.status, slug.json.error.code]).toEqual([400, "invalid_video_id"]);
  });
});

describe("a caller that has the transcript", () => {
  it("is not sent it again, and each form of it has a tag of its own", async () => {
    const first = await read(owner);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    const again = await read(owner, "", { "if-none-match": `"other", ${etag}` });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    expect([again.headers.get("vary"), again.headers.get("cache-control")]).toEqual([
      "Accept-Encoding",
      "private, no-cache",
    ]);
    const queries = ["", "?include=words", "?format=srt", "?start=1", "?end=60", "?speaker=spk_1"];
    const forms = await Promise.all(queries.map((query) => read(owner, query)));
    expect(new Set(forms.map(({ headers }) => headers.get("etag"))).size).toBe(queries.length);
    expect((await read(owner, "?format=srt", { "if-none-match": etag })).status).toBe(200);
    expect((await read(owner, "?format=srt", { "if-none-match": "*" })).status).toBe(304);
  });

  it("is told of the unlock, which changes the tag", async () => {
    const other = await edge.newKey();
    const locked = (await read(other)).headers.get("etag") ?? "";
    expect((await read(other, "", { "if-none-match": locked })).status).toBe(304);
    const unlocked = await read(other, "?unlock=true", { "if-none-match": locked });
    expect([unlocked.status, unlocked.json.access]).toEqual([200, "unlocked"]);
    const etag = unlocked.headers.get("etag") ?? "";
    expect((await read(other, "?unlock=true", { "if-none-match": etag })).status).toBe(304);
  });

  it("costs two statements, its admission included, and so does one that is sent what was written before", async () => {
    const { headers } = await read(owner, "?include=words");
    const etag = headers.get("etag") ?? "";
    const taken = async (ask: Record<string, string>) => {
      const before = statements;
      const { status } = await read(owner, "?include=words", ask);
      return [status, statements - before];
    };
    expect(await taken({ "if-none-match": etag })).toEqual([304, 2]);
    expect(await taken({})).toEqual([200, 2]);
  });
});

/** How an answer is coded, and what it says. */
const codingOf = async (acceptEncoding: string, query = "") => {
  const { headers, text } = await read(owner, query, { "accept-encoding": acceptEncoding });
  return { coding: headers.get("content-encoding"), vary: headers.get("vary"), etag: headers.get("etag"), text };
};

describe("compression", () => {
  it.each([
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "gzip"],
    ["br", "br"],
    ["gzip;q=0.5, br", "br"],
    ["*", "gzip"],
    ["gzip;q=0, br;q=0", null],
    ["identity", null],
    ["deflate", null],
    ["identity;q=0, zstd", null],
  ])("of Accept-Encoding: %s is %s, with one tag and one text", async (asked, coding) => {
    for (const query of ["", "?include=words", "?format=vtt", "?format=json&start=1"]) {
      const plain = await codingOf("identity", query);
      expect(plain.coding).toBeNull();
      expect(await codingOf(asked, query)).toEqual({ ...plain, coding });
      expect(plain.vary).toBe("Accept-Encoding");
    }
  });

  it("makes a text of an hour less than a quarter as large", async () => {
    const caller = {
      accountId: owner.accountId,
      keyId: owner.keyId,
      tier: "enterprise",
      scopes: [],
      requestId: "req_t",
    } as const;
    const hour = await createTranscript(edge.context, caller, { ...talk(3600), videoId: "an-hour-big" });
    const length = async (coding: string) => {
      const headers = { "x-api-key": owner.key, "accept-encoding": coding };
      const response = await fetch(`${edge.url}/v1/transcripts/${hour}`, { headers });
      const text = await response.text();
      return { sent: Number(response.headers.get("content-length")), text };
    };
    const [plain, gzip, br] = [await length("identity"), await length("gzip"), await length("br")];
    expect([gzip.text, br.text]).toEqual([plain.text, plain.text]);
    for (const { sent } of [gzip, br]) expect(plain.sent / sent).toBeGreaterThan(4);
  });
});

describe("a video without a transcript", () => {
  it("has no text formats", async () => {
    const text = await edge.call("GET", "/v1/transcripts/never_asked?format=vtt", owner);
    expect([text.status, text.json.error.code]).toEqual([404, "transcript_not_found"]);
  });
});
