import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import type { Caller } from "../../services/context.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";
import type { operations } from "../client/api.d.ts";
import { answered, type Edge, type NewKey, startEdge } from "./edge.ts";

const said = [
  "🎉 Welcome back to Café Society.",
  "We talk about machine learning,",
  "and about learning machines.",
  "Learning never ends, they say, and",
  "so on it goes: learning, learning.",
  "Don’t stop.",
];

let edge: Edge;
let owner: NewKey;
let videos = 0;
beforeAll(async () => {
  edge = await startEdge();
  owner = await edge.newKey();
});
afterAll(() => edge.close());

async function newTranscript(texts: readonly string[] = said): Promise<string> {
  const videoId = `search-${String((videos += 1)).padStart(4, "0")}`;
  const caller: Caller = { ...owner, tier: "enterprise", scopes: [], requestId: "req_test" };
  const segments = texts.map((text, index) => {
    const times = { startSeconds: index * 5.5, endSeconds: index * 5.5 + 5 };
    return { text, ...times, confidence: 0.9, words: [] };
  });
  return createTranscript(edge.context, caller, { videoId, durationSeconds: texts.length * 5.5, segments });
}

type Query = operations["searchTranscript"]["parameters"]["query"];
const search = async (videoId: string, query: Query, caller = owner) =>
  answered(
    await edge
      .client(caller)
      .GET("/v1/transcripts/{video_id}/search", { params: { path: { video_id: videoId }, query } }),
  ).data;
const refused = async (videoId: string, query: string, caller = owner) => {
  const { status, json } = await edge.call("GET", `/v1/transcripts/${videoId}/search${query}`, caller);
  return [status, json.error?.code];
};
const rowsUsed = async () => answered(await edge.client(owner).GET("/v1/me")).data.usage.rows_used;
/** What is highlighted in each segment of a page. */
const found = (page: Awaited<ReturnType<typeof search>>) =>
  page.data.map(({ index, text, highlights }) => [
    index,
    highlights.map(({ charStart, charEnd }) => text.slice(charStart, charEnd)),
  ]);

describe("a search in a transcript", () => {
  it("finds words, phrases and beginnings, past case and accents, with their places in the text that is served", async () => {
    const videoId = await newTranscript();
    expect(found(await search(videoId, { q: "LEARNING" }))).toEqual([
      [1, ["learning"]],
      [2, ["learning"]],
      [3, ["Learning"]],
      [4, ["learning", "learning"]],
    ]);
    expect(found(await search(videoId, { q: '"machine learning"' }))).toEqual([[1, ["machine learning"]]]);
    expect(found(await search(videoId, { q: "machin* about" }))).toEqual([
      [1, ["about", "machine"]],
      [2, ["about", "machines"]],
    ]);
    expect(found(await search(videoId, { q: "cafe" }))).toEqual([[0, ["Café"]]]);
    expect(found(await search(videoId, { q: "dont" }))).toEqual([[5, ["Don’t"]]]);
  });

  it("finds a phrase that runs over the end of a segment, in both", async () => {
    const videoId = await newTranscript();
    expect(found(await search(videoId, { q: '"and so on"' }))).toEqual([
      [3, ["and"]],
      [4, ["so on"]],
    ]);
  });

  it("shows each segment as the transcript does, with a link to its moment", async () => {
    const videoId = await newTranscript();
    const { data } = await search(videoId, { q: "ends" });
    const { json } = await edge.call("GET", `/v1/transcripts/${videoId}`, owner);
    const { entities: _, ...segment } = json.segments[3];
    expect(data).toEqual([
      {
        ...segment,
        highlights: [{ charStart: 15, charEnd: 19 }],
        deepLink: `https://www.youtube.com/watch?v=${videoId}&t=16s`,
      },
    ]);
  });

  it("finds nothing where nothing is said of it, and says so with 200", async () => {
    expect(await search(await newTranscript(), { q: "astronomy" })).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
      total: 0,
    });
  });

  it("costs nothing", async () => {
    const videoId = await newTranscript();
    const before = await rowsUsed();
    await search(videoId, { q: "learning" });
    expect(await rowsUsed()).toBe(before);
  });
});

describe("pages of hits", () => {
  it("hold each hit once, in the order of the video, and know how many there are in all", async () => {
    const videoId = await newTranscript(Array.from({ length: 25 }, (_, index) => (index % 2 === 0 ? "yes" : "no")));
    const seen: number[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await search(videoId, { q: "yes", limit: 5, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.data.map(({ index }) => index));
      expect([page.total, page.has_more]).toEqual([13, page.next_cursor !== null]);
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(Array.from({ length: 13 }, (_, index) => index * 2));
  });

  it("go on where they were when the last hit is corrected away meanwhile", async () => {
    const videoId = await newTranscript(["yes", "yes", "yes", "yes"]);
    const { next_cursor: cursor } = await search(videoId, { q: "yes", limit: 2 });
    await edge.context.pool.query(sql.typeAlias("void")`
      update transcript_segment set text = 'no' where video_id = ${videoId} and id = 'seg_1'`);
    const next = await search(videoId, { q: "yes", limit: 2, cursor: cursor ?? "" });
    expect([next.data.map(({ id }) => id), next.has_more]).toEqual([["seg_2", "seg_3"], false]);
  });

  it("take only their own cursor", async () => {
    const [videoId, other] = [await newTranscript(), await newTranscript()];
    const { next_cursor: cursor } = await search(videoId, { q: "learning", limit: 1 });
    for (const query of [`?q=learning&cursor=A${cursor}`, `?q=machine&cursor=${cursor}`])
      expect(await refused(videoId, query)).toEqual([400, "invalid_query"]);
    expect(await refused(other, `?q=learning&cursor=${cursor}`)).toEqual([400, "invalid_query"]);
    expect((await search(videoId, { q: "Learning", cursor: cursor ?? "" })).data).toHaveLength(3);
  });
});

describe("a search that cannot be made", () => {
  it("is 403 with the price where the transcript is locked, whatever it would find", async () => {
    const [videoId, other] = [await newTranscript(), await edge.newKey()];
    const answers = ["learning", "astronomy"].map((q) =>
      edge.call("GET", `/v1/transcripts/${videoId}/search?q=${q}`, other),
    );
    for (const { status, json } of await Promise.all(answers)) {
      expect([status, json.error.code]).toEqual([403, "transcript_locked"]);
      expect(json.error.message).toContain("50 rows");
    }
  });

  it("is 404 where there is no transcript, also while one is being made", async () => {
    expect(await refused("never_asked", "?q=hello")).toEqual([404, "transcript_not_found"]);
    answered(await edge.client(owner).POST("/v1/transcriptions", { body: { videoId: "in_progress" } }));
    expect(await refused("in_progress", "?q=hello")).toEqual([404, "transcript_not_found"]);
  });

  it("is 400 without a word to look for, or for a video id that is none", async () => {
    const videoId = await newTranscript();
    for (const query of ["", "?q=", "?q=!%3F", `?q=${"a".repeat(201)}`, "?q=a&limit=0", "?q=a&speaker=x"])
      expect([query, ...(await refused(videoId, query))]).toEqual([query, 400, "invalid_query"]);
    expect(await refused("a-slug", "?q=a")).toEqual([400, "invalid_video_id"]);
  });
});
