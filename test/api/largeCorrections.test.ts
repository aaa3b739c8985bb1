import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { catalogue, passagesOf, transcriptOf } from "../../bench/detection/passages.ts";
import { contentHash } from "../../domain/contentHash.ts";
import { NameIndex } from "../../services/detection/nameIndex.ts";
import { createEntity } from "../builders/context.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";
import type { RecognisedSegment } from "../../domain/speech.ts";
import type { components } from "../client/api.d.ts";
import { answered, type Edge, type NewKey, startEdge } from "./edge.ts";

const said = passagesOf("report").flatMap((passage) => transcriptOf(passage).input.segments.map(({ text }) => text));
const secondsOfSegment = 4;

type Segment = components["schemas"]["TranscriptSegment"];

let edge: Edge;
let owner: NewKey;
let names: NameIndex;
let statements = 0;
beforeAll(async () => {
  edge = await startEdge({ onStatement: () => (statements += 1) });
  owner = await edge.newKey();
  for (const { name, type, aliases } of catalogue) await createEntity(edge.context, { name, type, aliases });
  names = new NameIndex(edge.context);
  await names.load();
}, 120_000);
afterAll(() => edge.close());

let videos = 0;
/** A transcript of so many characters, all of whose words have times. */
async function publish(characters: number): Promise<string> {
  videos += 1;
  const segments: RecognisedSegment[] = [];
  for (let length = 0; length < characters;) {
    const startSeconds = segments.length * secondsOfSegment;
    const text = said[segments.length % said.length] ?? "";
    const words = text.split(" ").map((word, n) => ({
      text: word,
      startSeconds: startSeconds + n * 0.1,
      endSeconds: startSeconds + n * 0.1 + 0.1,
      confidence: 1,
    }));
    segments.push({ text, startSeconds, endSeconds: startSeconds + secondsOfSegment, confidence: 0.9, words });
    length += text.length;
  }
  const caller = { ...owner, tier: "enterprise", scopes: [], requestId: "req_test" } as const;
  const durationSeconds = segments.length * secondsOfSegment;
  const videoId = `large-edit${videos}`;
  return createTranscript(edge.context, caller, { videoId, names: names.gazetteer, durationSeconds, segments });
}

async function read(videoId: string): Promise<{ revision: number; segments: Segment[] }> {
  const params = { path: { video_id: videoId }, query: { include: "words" as const } };
  const { data } = answered(await edge.client(owner).GET("/v1/transcripts/{video_id}", { params }));
  if (typeof data === "string" || !("access" in data) || data.revision === null || data.segments === null)
    throw new Error("it is not open");
  return { revision: data.revision, segments: data.segments };
}

const send = (method: string, path: string, body?: unknown) =>
  edge.call(method, path, { key: owner.key, ...(body !== undefined && { body }) });
const correct = (videoId: string, body: unknown) => send("POST", `/v1/videos/${videoId}/corrections`, body);
const withdraw = (id: string) => send("DELETE", `/v1/corrections/segment-rewrites/${id}`);

async function rewriteOfAll(videoId: string, texts: readonly string[]) {
  const { revision, segments } = await read(videoId);
  const [fromSegmentId, toSegmentId] = [segments[0]?.id, segments.at(-1)?.id];
  return {
    kind: "segment_rewrite",
    revision,
    anchor: { segmentId: fromSegmentId, contentHash: contentHash(segments.map(({ text }) => text).join("\n")) },
    range: { fromSegmentId, toSegmentId },
    replacements: texts.map((text) => ({ text })),
  };
}

function withoutNames(segment: Segment): Segment {
  return Object.assign({}, segment, { entities: [] });
}

function placesIn(segments: readonly Segment[]): string[] {
  return segments.flatMap(({ id, entities }) =>
    entities.map(({ entityId, charStart, charEnd }) => `${id} ${charStart} ${charEnd} ${entityId}`),
  );
}

/** The text in so many pieces. */
function inPieces(segments: readonly Segment[], count: number): string[] {
  const words = segments.flatMap(({ text }) => text.split(" "));
  const at = (n: number) => Math.floor((n * words.length) / count);
  return Array.from({ length: count }, (_, n) => words.slice(at(n), at(n + 1)).join(" "));
}

/** Microseconds. */
function worked(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** The longest that the process worked without getting round to others, as a share of all that it worked; turns of less than a millisecond are waiting. */
async function longestTurn<T>(run: () => Promise<T>): Promise<{ result: T; share: number; statements: number }> {
  const statementsBefore = statements;
  let [last, longest, all, running] = [worked(), 0, 0, true];
  const turn = () => {
    const now = worked();
    const took = now - last;
    [last, longest, all] = [now, Math.max(longest, took), all + (took < 1000 ? 0 : took)];
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await run();
  turn();
  running = false;
  return { result, share: longest / all, statements: statements - statementsBefore };
}

describe("a correction of a long passage", () => {
  it("is made and taken back in many short turns, and leaves nothing behind", async () => {
    const videoId = await publish(90_000);
    const before = await read(videoId);
    expect(before.segments.flatMap(({ entities }) => entities).length).toBeGreaterThan(500);
    const shares: number[] = [];
    for (const texts of [inPieces(before.segments, 300), []]) {
      const body = await rewriteOfAll(videoId, texts);
      const made = await longestTurn(() => correct(videoId, body));
      expect(made.result.status).toBe(201);
      expect((await read(videoId)).segments).toHaveLength(texts.length);
      const back = await longestTurn(() => withdraw(made.result.json.id));
      expect(back.result.status).toBe(200);
      shares.push(made.share, back.share);
      // The whole is read in parts of some thousand characters, each of which takes a few statements.
      for (const { statements: asked } of [made, back]) expect(asked).toBeLessThan(400);
      const { segments } = await read(videoId);
      expect(segments.map(withoutNames)).toEqual(before.segments.map(withoutNames));
      const named = new Set(placesIn(segments));
      expect(placesIn(before.segments).filter((place) => !named.has(place))).toEqual([]);
    }
    // The shortest of them has a few turns of work in all.
    for (const share of shares) expect(share).toBeLessThan(0.35);
  }, 120_000);

  it("lets other requests be answered meanwhile", async () => {
    const videoId = await publish(60_000);
    const made = await correct(videoId, await rewriteOfAll(videoId, []));
    const state = { running: true };
    const back = withdraw(made.json.id).finally(() => (state.running = false));
    let asked = 0;
    while (state.running) {
      await (await fetch(`${edge.url}/v1/health`)).arrayBuffer();
      asked += 1;
    }
    expect((await back).status).toBe(200);
    expect(asked).toBeGreaterThan(10);
  }, 120_000);

  it("may have as many characters as is said, and no more", async () => {
    const videoId = await publish(101_000);
    const tooMany = await correct(
      videoId,
      await rewriteOfAll(
        videoId,
        Array.from({ length: 11 }, () => "word ".repeat(1900).trim()),
      ),
    );
    expect(tooMany.status).toBe(400);
    expect(tooMany.json.error.message).toMatch(/`replacements`.*100000 characters/);
    const tooLong = await correct(videoId, await rewriteOfAll(videoId, ["Nothing of it was so."]));
    expect(tooLong.status).toBe(400);
    expect(tooLong.json.error.message).toMatch(/`range`.*at most 100000 in 5000.*shorter ranges/);
  }, 120_000);
});

describe("an edit of one line", () => {
  it("of ten thousand characters is made in many short turns", async () => {
    const videoId = await publish(2000);
    const { revision, segments } = await read(videoId);
    const [segment] = segments;
    const text = said.join(" ").slice(0, 10_000).trim();
    const anchor = { segmentId: segment?.id, contentHash: segment?.contentHash };
    const first = await correct(videoId, { kind: "line_edit", revision, anchor, text });
    expect(first.status).toBe(201);
    const other = { segmentId: segment?.id, contentHash: contentHash(text) };
    const words = text.split(" ").toReversed().join(" ");
    const { result, share } = await longestTurn(() =>
      correct(videoId, { kind: "line_edit", revision: first.json.revision, anchor: other, text: words }),
    );
    expect(result.status).toBe(201);
    expect(share).toBeLessThan(0.35);
  }, 120_000);
});
