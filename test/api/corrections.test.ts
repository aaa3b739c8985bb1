import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { contentHash } from "../../domain/contentHash.ts";
import { createEntity } from "../builders/context.ts";
import { createTranscript } from "../builders/finishedTranscript.ts";
import type { components } from "../client/api.d.ts";
import { answered, type Edge, type NewKey, startEdge } from "./edge.ts";

const texts = ["Welcome to the show.", "Today we talk of engines.", "They were built by hand.", "Goodbye."];

type Body = components["schemas"]["CorrectionRequest"];
type Segment = components["schemas"]["TranscriptSegment"];

let edge: Edge;
let owner: NewKey;
let stranger: NewKey;
beforeAll(async () => {
  edge = await startEdge({ connections: 20 });
  [owner, stranger] = [await edge.newKey(), await edge.newKey()];
});
afterAll(() => edge.close());

let videoId = "";
let videos = 0;
beforeEach(async () => {
  videoId = `correct-${String((videos += 1)).padStart(3, "0")}`;
  const caller = { ...owner, tier: "enterprise", scopes: [], requestId: "req_test" } as const;
  const segments = texts.map((text, index) => {
    const startSeconds = index * 5;
    const words = text.split(" ").map((word, n) => ({
      text: word,
      startSeconds: startSeconds + n * 0.5,
      endSeconds: startSeconds + n * 0.5 + 0.4,
      confidence: 0.8,
    }));
    return { text, startSeconds, endSeconds: startSeconds + 4, confidence: 0.9, words };
  });
  await createTranscript(edge.context, caller, { videoId, durationSeconds: 20, segments });
});

async function read(caller = owner) {
  const { data } = answered(
    await edge.client(caller).GET("/v1/transcripts/{video_id}", {
      params: { path: { video_id: videoId }, query: { include: "words" } },
    }),
  );
  if (typeof data === "string" || !("access" in data)) throw new Error("the transcript is not in JSON");
  return { ...data, segments: data.segments ?? [] };
}

const post = (
  body: unknown,
  { caller = owner, headers = {} }: { caller?: NewKey; headers?: Record<string, string> } = {},
) => edge.call("POST", `/v1/videos/${videoId}/corrections`, { key: caller.key, headers, body });

async function correct(body: Body) {
  const params = { path: { video_id: videoId } };
  return answered(await edge.client(owner).POST("/v1/videos/{video_id}/corrections", { params, body })).data;
}

/** The anchor of segments as they are now. */
async function anchor(from: number, to = from) {
  const { revision, segments } = await read();
  const range = segments.slice(from, to + 1);
  const hash = range.length === 1 ? range[0]?.contentHash : contentHash(range.map(({ text }) => text).join("\n"));
  return {
    revision: revision ?? 0,
    anchor: { segmentId: range[0]?.id ?? "", contentHash: hash ?? "" },
    range: { fromSegmentId: range[0]?.id ?? "", toSegmentId: range.at(-1)?.id ?? "" },
  };
}

async function editOf(at: number, text: string): Promise<Body> {
  const { revision, anchor: anchored } = await anchor(at);
  return { kind: "line_edit", revision, anchor: anchored, text };
}

async function rewriteOf(
  from: number,
  to: number,
  replacements: { text: string; start?: number; end?: number }[],
): Promise<Body> {
  return { kind: "segment_rewrite", ...(await anchor(from, to)), replacements };
}

const textsOf = (segments: readonly Segment[]) => segments.map(({ text }) => text);

describe("a line edit", () => {
  it("takes effect at once, for all who may read it, and costs nothing", async () => {
    const before = await read();
    const made = await correct(await editOf(1, "Today we talk about engines."));
    expect(made).toMatchObject({ kind: "line_edit", videoId, status: "applied", revision: 2, seq: 1 });
    const after = await read();
    expect([after.revision, after.seq]).toEqual([2, 1]);
    const { words, ...segment } = after.segments[1] ?? {};
    expect(made.segments).toEqual([segment]);
    expect(segment).toMatchObject({
      id: "seg_1",
      index: 1,
      text: "Today we talk about engines.",
      edited: true,
      contentHash: contentHash("Today we talk about engines."),
      startSeconds: 5,
      endSeconds: 9,
    });
    const wordsBefore = before.segments[1]?.words ?? [];
    expect(words?.map(({ text }) => text)).toEqual(["Today", "we", "talk", "about", "engines."]);
    expect([0, 1, 2, 4].map((n) => words?.[n])).toEqual([0, 1, 2, 4].map((n) => wordsBefore[n]));
    expect(after.segments.filter(({ id }) => id !== "seg_1")).toEqual(
      before.segments.filter(({ id }) => id !== "seg_1"),
    );
    expect(answered(await edge.client(owner).GET("/v1/me")).data.usage.rows_used).toBe(await rowsOfGenerations());
  });

  it("of an older revision is rebased while its own segment is as it was", async () => {
    const [first, second] = [await editOf(0, "Welcome!"), await editOf(1, "Engines.")];
    await correct(first);
    expect(await correct(second)).toMatchObject({ revision: 3, seq: 2 });
    expect(textsOf((await read()).segments).slice(0, 2)).toEqual(["Welcome!", "Engines."]);
  });

  it("is refused with the bare 409 where its anchor does not hold", async () => {
    const [stale, late] = [await editOf(0, "Hello."), await editOf(1, "Too late.")];
    await correct(await editOf(0, "Welcome!"));
    await correct(await rewriteOf(1, 1, []));
    const refusals = [await post(stale), await post(late), await post(await editOf(0, "Welcome!"))];
    expect(refusals.map(({ status, json }) => [status, json])).toEqual(
      ["content_hash_mismatch", "segment_not_found", "already_applied"].map((reason) => [
        409,
        { error: "anchor_mismatch", reason, currentRevision: 3 },
      ]),
    );
    expect((await read()).seq).toBe(2);
  });

  it("is refused with the bare 412 where its seq is stale, and taken with the one told", async () => {
    const edit = await editOf(0, "Welcome!");
    expect((await post({ ...edit, seq: 0 })).status).toBe(201);
    const next = await editOf(0, "Hello!");
    const stale = await post({ ...next, seq: 0 });
    expect([stale.status, stale.json]).toEqual([412, { error: "stale_sequence", expectedSeq: 1 }]);
    expect((await post({ ...next, seq: stale.json.expectedSeq })).status).toBe(201);
  });

  it("is made once for an Idempotency-Key", async () => {
    const edit = await editOf(0, "Welcome!");
    const headers = { "idempotency-key": `once-${videoId}` };
    const [first, again] = [await post(edit, { headers }), await post(edit, { headers })];
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await read()).seq).toBe(1);
  });
});

describe("who may correct", () => {
  it("is whoever has the transcript unlocked", async () => {
    const edit = await editOf(0, "Welcome!");
    const locked = await post(edit, { caller: stranger });
    expect([locked.status, locked.json.error.code, locked.json.error.type]).toEqual([
      403,
      "transcript_locked",
      "permission_error",
    ]);
    const list = await edge.call("GET", `/v1/videos/${videoId}/corrections`, { key: stranger.key });
    expect([list.status, list.json.error.code]).toEqual([403, "transcript_locked"]);
    await edge.call("GET", `/v1/transcripts/${videoId}?unlock=true`, { key: stranger.key });
    expect((await post(edit, { caller: stranger })).status).toBe(201);
  });

  it("is nobody where there is no transcript", async () => {
    const edit = await editOf(0, "Welcome!");
    const missing = await edge.call("POST", "/v1/videos/never_asked/corrections", { key: owner.key, body: edit });
    expect([missing.status, missing.json.error.code]).toEqual([404, "transcript_not_found"]);
    const malformed = await edge.call("POST", "/v1/videos/nonsense/corrections", { key: owner.key, body: edit });
    expect([malformed.status, malformed.json.error.code]).toEqual([400, "invalid_video_id"]);
  });

  it("says what it wants in the fields of its kind", async () => {
    const { revision, anchor: anchored } = await anchor(0);
    const bodies = [
      { kind: "line_edit", text: "No anchor." },
      { kind: "line_edit", revision, anchor: anchored, text: "two\nlines" },
      { kind: "line_edit", revision, anchor: anchored, text: " " },
      { kind: "line_edit", revision, anchor: anchored, text: "Hello.", speakerId: "spk_1" },
      { kind: "speaker_reassign", revision, anchor: anchored },
      { kind: "speaker_reassign", revision, anchor: anchored, speakerId: "spk_99" },
      { kind: "speaker_reassign", revision, anchor: anchored, speakerId: "spk_1", newSpeakerLabel: "Host" },
      { kind: "rename", revision, anchor: anchored },
    ];
    for (const body of bodies) {
      const { status, json } = await post(body);
      expect([status, json.error.code]).toEqual([400, "invalid_body"]);
    }
  });
});

describe("a segment rewrite", () => {
  it("puts texts in the place of a range, with times in it, new ids, and the words' own times", async () => {
    const before = await read();
    const made = await correct(
      await rewriteOf(1, 2, [
        { text: "Today we talk" },
        { text: "of engines. They were" },
        { text: "built by hand.", end: 13.5 },
      ]),
    );
    expect(made).toMatchObject({ kind: "segment_rewrite", revision: 2, seq: 1 });
    const { segments } = await read();
    expect(textsOf(segments)).toEqual([texts[0], "Today we talk", "of engines. They were", "built by hand.", texts[3]]);
    expect(segments.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(made.segments.map(({ id, index }) => [id, index])).toEqual(
      segments.slice(1, 4).map(({ id, index }) => [id, index]),
    );
    expect(new Set(segments.map(({ id }) => id)).size).toBe(5);
    expect([segments[1]?.startSeconds, segments[3]?.endSeconds]).toEqual([5, 13.5]);
    for (const [n, segment] of segments.entries())
      expect(segment.startSeconds).toBeGreaterThanOrEqual(segments[n - 1]?.endSeconds ?? 0);
    const wordsOf = (all: readonly Segment[]) => all.flatMap(({ words = [] }) => words);
    expect(wordsOf(segments.slice(1, 4))).toEqual(wordsOf(before.segments.slice(1, 3)));
  });

  it("refuses a range whose end is gone, turned round, or not begun by its anchor", async () => {
    const rewrite = { kind: "segment_rewrite", ...(await anchor(1, 2)), replacements: [] };
    const range = (fromSegmentId: string, toSegmentId: string) => ({ range: { fromSegmentId, toSegmentId } });
    const gone = await post({ ...rewrite, ...range("seg_1", "seg_77") });
    expect([gone.status, gone.json.reason]).toEqual([409, "segment_not_found"]);
    for (const wrong of [range("seg_1", "seg_0"), range("seg_0", "seg_2")]) {
      const { status, json } = await post({ ...rewrite, ...wrong });
      expect([status, json.error.code]).toEqual([400, "invalid_body"]);
    }
    const pinned = await post({ ...rewrite, replacements: [{ text: "x", start: 1 }] });
    expect([pinned.status, pinned.json.error.code]).toEqual([400, "invalid_body"]);
  });

  it("is withdrawn, and the range is there again as it was", async () => {
    const before = await read();
    const { id } = await correct(await rewriteOf(1, 2, []));
    expect(textsOf((await read()).segments)).toEqual([texts[0], texts[3]]);
    const params = { path: { id } };
    const withdraw = async () =>
      answered(await edge.client(owner).DELETE("/v1/corrections/segment-rewrites/{id}", { params })).data;
    const withdrawn = await withdraw();
    expect(withdrawn).toEqual({ id, status: "withdrawn", revision: 3, seq: 2 });
    expect((await read()).segments).toEqual(before.segments);
    expect(await withdraw()).toEqual(withdrawn);
    expect((await read()).seq).toBe(2);
  });

  it("is not withdrawn while later edits sit on it, nor by who may not read it, nor as what it is not", async () => {
    const { id } = await correct(await rewriteOf(1, 2, [{ text: "Engines." }]));
    const { id: editId } = await correct(await editOf(1, "Steam engines."));
    const withdraw = (correctionId: string, { key } = owner) =>
      edge.call("DELETE", `/v1/corrections/segment-rewrites/${correctionId}`, { key });
    const refused = await withdraw(id);
    expect([refused.status, refused.json]).toEqual([
      409,
      { error: "anchor_mismatch", reason: "content_hash_mismatch", currentRevision: 3 },
    ]);
    expect((await withdraw(id, stranger)).json.error.code).toBe("transcript_locked");
    for (const unknown of [editId, "cor_unknown"]) {
      const { status, json } = await withdraw(unknown);
      expect([status, json.error.code]).toEqual([404, "correction_not_found"]);
    }
  });
});

describe("speakers and persons", () => {
  it("are told apart, named, and undone by a reviewer", async () => {
    const ada = await createEntity(edge.context, { name: "Ada Quillfeather", type: "person" });
    const engine = await createEntity(edge.context, { type: "product" });
    const { revision, anchor: anchored } = await anchor(0);
    const reassigned = await correct({
      kind: "speaker_reassign",
      revision,
      anchor: anchored,
      newSpeakerLabel: "The host",
    });
    const speakerId = reassigned.segments[0]?.speakerId ?? "";
    const speaker = { id: speakerId, label: "The host", entityId: null, role: null };
    expect((await read()).speakers).toEqual([speaker]);
    const wrong = await post({ kind: "speaker_identify", speakerId, entityId: `ent_${engine}` });
    expect([wrong.status, wrong.json.error.code]).toEqual([400, "appearances_person_only"]);
    const unknown = await post({ kind: "speaker_identify", speakerId, entityId: "ent_999999" });
    expect([unknown.status, unknown.json.error.code]).toEqual([404, "entity_not_found"]);
    const identified = await correct({ kind: "speaker_identify", speakerId, entityId: `ent_${ada}` });
    expect(identified.segments).toEqual([]);
    await correct({ kind: "add_person", name: "ada quillfeather", role: "host" });
    await correct({ kind: "add_person", name: "Somebody Unheard", role: "guest" });
    const { speakers, seq } = await read();
    expect(speakers.map(({ label, entityId, role }) => [label, entityId, role])).toEqual([
      ["The host", `ent_${ada}`, "host"],
      ["Somebody Unheard", null, "guest"],
    ]);
    expect(seq).toBe(4);
    const undo = (id: string, body?: unknown) =>
      edge.call("POST", `/internal/corrections/${id}/undo`, { key: edge.internalKey, body });
    const early = await undo(reassigned.id);
    expect([early.status, early.json.error]).toEqual([409, "anchor_mismatch"]);
    const list = answered(
      await edge.client(owner).GET("/v1/videos/{video_id}/corrections", { params: { path: { video_id: videoId } } }),
    ).data;
    for (const { id, kind } of list.data) {
      const { status, json } = await undo(id, { note: "a test" });
      expect([status, json.id, json.kind, json.videoId, json.status]).toEqual([200, id, kind, videoId, "withdrawn"]);
    }
    const after = await read();
    expect([after.speakers, after.seq]).toEqual([[], 8]);
    expect((await undo("cor_unknown")).json.error.code).toBe("correction_not_found");
  });
});

describe("the log", () => {
  it("lists corrections newest first, page by page, with what was before and after", async () => {
    await correct({ ...(await editOf(0, "Welcome!")), note: "shorter" });
    const rewrite = await correct(await rewriteOf(1, 2, [{ text: "Engines." }]));
    await correct(await editOf(2, "Bye."));
    await edge.client(owner).DELETE("/v1/corrections/segment-rewrites/{id}", { params: { path: { id: rewrite.id } } });
    const page = async (query: { limit: number; cursor?: string }) =>
      answered(
        await edge
          .client(owner)
          .GET("/v1/videos/{video_id}/corrections", { params: { path: { video_id: videoId }, query } }),
      ).data;
    const first = await page({ limit: 2 });
    const second = await page({ limit: 2, cursor: first.next_cursor ?? "" });
    const all = [...first.data, ...second.data];
    expect(all.map(({ kind, seq, status, withdrawal }) => [kind, seq, status, withdrawal?.seq ?? null])).toEqual([
      ["line_edit", 3, "applied", null],
      ["segment_rewrite", 2, "withdrawn", 4],
      ["line_edit", 1, "applied", null],
    ]);
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null]);
    expect(all.map(({ before, after }) => [before.map(({ text }) => text), after.map(({ text }) => text)])).toEqual([
      [["Goodbye."], ["Bye."]],
      [texts.slice(1, 3), ["Engines."]],
      [["Welcome to the show."], ["Welcome!"]],
    ]);
    expect(all.at(-1)).toMatchObject({ note: "shorter", isOwn: true, asked: { kind: "line_edit", text: "Welcome!" } });
  });
});

describe("many editors at once", () => {
  it("lose no edit, leave no gap in seq, and are told when they must look again", async () => {
    const clients = 32;
    const statuses = new Map<number, number>();
    const applied: { seq: number; revision: number }[] = [];
    let left = 1000;
    async function edits(client: number): Promise<void> {
      let { revision, segments, seq } = await read();
      while ((left -= 1) >= 0) {
        const at = (client + left) % segments.length;
        const segment = segments[at];
        if (segment === undefined) throw new Error("no segment");
        const { status, json } = await post({
          kind: "line_edit",
          revision,
          anchor: { segmentId: segment.id, contentHash: segment.contentHash },
          text: `${segment.text.slice(0, 20)} ${client} ${left}`,
          ...(left % 4 === 0 && { seq }),
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 201) applied.push(json);
        else ({ revision, segments, seq } = await read());
      }
    }
    await Promise.all(Array.from({ length: clients }, (_, client) => edits(client)));
    expect([...statuses.keys()].filter((status) => ![201, 409, 412].includes(status))).toEqual([]);
    expect([...statuses.values()].reduce((sum, n) => sum + n, 0)).toBe(1000);
    const { seq, revision } = await read();
    expect(applied.map((one) => one.seq).toSorted((a, b) => a - b)).toEqual(applied.map((_, n) => n + 1));
    expect([seq, revision]).toEqual([applied.length, applied.length + 1]);
    expect(applied.length).toBeGreaterThan(clients);
  }, 300_000);
});

/** What the owner has paid for all transcripts so far. */
async function rowsOfGenerations(): Promise<number> {
  return videos * 100;
}
