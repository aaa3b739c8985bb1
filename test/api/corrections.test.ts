import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { contentHash } from "../../domain/contentHash.ts";
import { type CorrectionScene, startCorrections } from "./correctionScene.ts";
import { answered } from "./edge.ts";

let scene: CorrectionScene;
let videoId = "";
beforeAll(async () => {
  scene = await startCorrections();
});
beforeEach(async () => {
  videoId = await scene.publish();
});
afterAll(() => scene.edge.close());

const textsOf = (segments: readonly { text: string }[]) => segments.map(({ text }) => text);

describe("a line edit", () => {
  it("takes effect at once, for all who may read it, and costs nothing", async () => {
    const before = await scene.read();
    const rowsUsed = async () => answered(await scene.edge.client(scene.owner).GET("/v1/me")).data.usage.rows_used;
    const rowsBefore = await rowsUsed();
    const made = await scene.correct(await scene.editOf(1, "Today we talk about engines."));
    expect(made).toMatchObject({ kind: "line_edit", videoId, status: "applied", revision: 2, seq: 1 });
    const after = await scene.read();
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
    expect(await rowsUsed()).toBe(rowsBefore);
  });

  it("of an older revision is rebased while its own segment is as it was", async () => {
    const [first, second] = [await scene.editOf(0, "Welcome!"), await scene.editOf(1, "Engines.")];
    await scene.correct(first);
    expect(await scene.correct(second)).toMatchObject({ revision: 3, seq: 2 });
    expect(textsOf((await scene.read()).segments).slice(0, 2)).toEqual(["Welcome!", "Engines."]);
  });

  it("is refused with the bare 409 where its anchor does not hold", async () => {
    const [stale, late] = [await scene.editOf(0, "Hello."), await scene.editOf(1, "Too late.")];
    await scene.correct(await scene.editOf(0, "Welcome!"));
    await scene.correct(await scene.rewriteOf(1, 1, []));
    const refusals = [
      await scene.post(stale),
      await scene.post(late),
      await scene.post(await scene.editOf(0, "Welcome!")),
    ];
    expect(refusals.map(({ status, json }) => [status, json])).toEqual(
      ["content_hash_mismatch", "segment_not_found", "already_applied"].map((reason) => [
        409,
        { error: "anchor_mismatch", reason, currentRevision: 3 },
      ]),
    );
    expect((await scene.read()).seq).toBe(2);
  });

  it("is refused with the bare 412 where its seq is stale, and taken with the one told", async () => {
    const edit = await scene.editOf(0, "Welcome!");
    expect((await scene.post({ ...edit, seq: 0 })).status).toBe(201);
    const next = await scene.editOf(0, "Hello!");
    const stale = await scene.post({ ...next, seq: 0 });
    expect([stale.status, stale.json]).toEqual([412, { error: "stale_sequence", expectedSeq: 1 }]);
    expect((await scene.post({ ...next, seq: stale.json.expectedSeq })).status).toBe(201);
  });

  it("is made once for an Idempotency-Key", async () => {
    const edit = await scene.editOf(0, "Welcome!");
    const headers = { "idempotency-key": `once-${videoId}` };
    const [first, again] = [await scene.post(edit, { headers }), await scene.post(edit, { headers })];
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await scene.read()).seq).toBe(1);
  });
});

describe("who may correct", () => {
  it("is whoever has the transcript unlocked", async () => {
    const edit = await scene.editOf(0, "Welcome!");
    const locked = await scene.post(edit, { caller: scene.stranger });
    expect([locked.status, locked.json.error.code, locked.json.error.type]).toEqual([
      403,
      "transcript_locked",
      "permission_error",
    ]);
    const list = await scene.edge.call("GET", `/v1/videos/${videoId}/corrections`, { key: scene.stranger.key });
    expect([list.status, list.json.error.code]).toEqual([403, "transcript_locked"]);
    await scene.edge.call("GET", `/v1/transcripts/${videoId}?unlock=true`, { key: scene.stranger.key });
    expect((await scene.post(edit, { caller: scene.stranger })).status).toBe(201);
  });

  it("is nobody where there is no transcript", async () => {
    const edit = await scene.editOf(0, "Welcome!");
    const missing = await scene.edge.call("POST", "/v1/videos/never_asked/corrections", {
      key: scene.owner.key,
      body: edit,
    });
    expect([missing.status, missing.json.error.code]).toEqual([404, "transcript_not_found"]);
    const malformed = await scene.edge.call("POST", "/v1/videos/nonsense/corrections", {
      key: scene.owner.key,
      body: edit,
    });
    expect([malformed.status, malformed.json.error.code]).toEqual([400, "invalid_video_id"]);
  });

  it("says what it wants in the fields of its kind", async () => {
    const { revision, anchor: anchored } = await scene.anchor(0);
    const bodies = [
      { kind: "line_edit", text: "No anchor." },
      { kind: "line_edit", revision, anchor: anchored, text: "two\nlines" },
      { kind: "line_edit", revision, anchor: anchored, text: " " },
      ...["\u2028", "\u200b", "\ufeff", "\u0085", "a\u0085\u0085b", "a\u2029b", "…"].map((text) => ({
        kind: "line_edit",
        revision,
        anchor: anchored,
        text,
      })),
      { kind: "line_edit", revision, anchor: anchored, text: "Hello.", speakerId: "spk_1" },
      { kind: "speaker_reassign", revision, anchor: anchored },
      { kind: "speaker_reassign", revision, anchor: anchored, speakerId: "spk_99" },
      { kind: "speaker_reassign", revision, anchor: anchored, speakerId: "spk_1", newSpeakerLabel: "Host" },
      { kind: "rename", revision, anchor: anchored },
    ];
    for (const body of bodies) {
      const { status, json } = await scene.post(body);
      expect([status, json.error.code]).toEqual([400, "invalid_body"]);
    }
  });
});
