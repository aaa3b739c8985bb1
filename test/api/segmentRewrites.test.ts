import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type CorrectionScene, saidAtFirst, startCorrections } from "./correctionScene.ts";
import { answered } from "./edge.ts";

let scene: CorrectionScene;
beforeAll(async () => {
  scene = await startCorrections();
});
beforeEach(async () => {
  await scene.publish();
});
afterAll(() => scene.edge.close());

const textsOf = (segments: readonly { text: string }[]) => segments.map(({ text }) => text);
const wordsOf = (segments: readonly { words?: unknown[] }[]) => segments.flatMap(({ words = [] }) => words);
const range = (fromSegmentId: string, toSegmentId: string) => ({ range: { fromSegmentId, toSegmentId } });
const withdraw = (correctionId: string, { key } = scene.owner) =>
  scene.edge.call("DELETE", `/v1/corrections/segment-rewrites/${correctionId}`, { key });

describe("a segment rewrite", () => {
  it("puts texts in the place of a range, with times in it, new ids, and the words' own times", async () => {
    const before = await scene.read();
    const made = await scene.correct(
      await scene.rewriteOf(1, 2, [
        { text: "Today we talk" },
        { text: "of engines. They were" },
        { text: "built by hand.", end: 13.5 },
      ]),
    );
    expect(made).toMatchObject({ kind: "segment_rewrite", revision: 2, seq: 1 });
    const { segments } = await scene.read();
    expect(textsOf(segments)).toEqual([
      saidAtFirst[0],
      "Today we talk",
      "of engines. They were",
      "built by hand.",
      saidAtFirst[3],
    ]);
    expect(segments.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(made.segments.map(({ id, index }) => [id, index])).toEqual(
      segments.slice(1, 4).map(({ id, index }) => [id, index]),
    );
    expect(new Set(segments.map(({ id }) => id)).size).toBe(5);
    expect([segments[1]?.startSeconds, segments[3]?.endSeconds]).toEqual([5, 13.5]);
    for (const [n, segment] of segments.entries())
      expect(segment.startSeconds).toBeGreaterThanOrEqual(segments[n - 1]?.endSeconds ?? 0);
    expect(wordsOf(segments.slice(1, 4))).toEqual(wordsOf(before.segments.slice(1, 3)));
  });

  it("refuses a range whose end is gone, turned round, or not begun by its anchor", async () => {
    const rewrite = { kind: "segment_rewrite", ...(await scene.anchor(1, 2)), replacements: [] };
    const gone = await scene.post({ ...rewrite, ...range("seg_1", "seg_77") });
    expect([gone.status, gone.json.reason]).toEqual([409, "segment_not_found"]);
    for (const wrong of [range("seg_1", "seg_0"), range("seg_0", "seg_2")]) {
      const { status, json } = await scene.post({ ...rewrite, ...wrong });
      expect([status, json.error.code]).toEqual([400, "invalid_body"]);
    }
    const pinned = await scene.post({ ...rewrite, replacements: [{ text: "x", start: 1 }] });
    expect([pinned.status, pinned.json.error.code]).toEqual([400, "invalid_body"]);
    expect(pinned.json.error.message).toMatch(/`replacements\.0\.start`/);
    const late = await scene.post({ ...rewrite, replacements: [{ text: "x" }, { text: "y", start: 9, end: 8 }] });
    expect(late.json.error.message).toMatch(/`replacements\.1\.end`/);
    const unknown = await scene.post({ ...rewrite, replacements: [{ text: "x" }, { text: "y", speakerId: "spk_9" }] });
    expect([unknown.status, unknown.json.error.code]).toEqual([400, "invalid_body"]);
    expect(unknown.json.error.message).toMatch(/`replacements\.1\.speakerId`/);
  });

  it("is withdrawn, and the range is there again as it was", async () => {
    const before = await scene.read();
    const { id } = await scene.correct(await scene.rewriteOf(1, 2, []));
    expect(textsOf((await scene.read()).segments)).toEqual([saidAtFirst[0], saidAtFirst[3]]);
    const params = { path: { id } };
    const withdraw = async () =>
      answered(await scene.edge.client(scene.owner).DELETE("/v1/corrections/segment-rewrites/{id}", { params })).data;
    const withdrawn = await withdraw();
    expect(withdrawn).toEqual({ id, status: "withdrawn", revision: 3, seq: 2 });
    expect((await scene.read()).segments).toEqual(before.segments);
    expect(await withdraw()).toEqual(withdrawn);
    expect((await scene.read()).seq).toBe(2);
  });

  it("is not withdrawn while later edits sit on it, nor by who may not read it, nor as what it is not", async () => {
    const { id } = await scene.correct(await scene.rewriteOf(1, 2, [{ text: "Engines." }]));
    const { id: editId } = await scene.correct(await scene.editOf(1, "Steam engines."));
    const refused = await withdraw(id);
    expect([refused.status, refused.json]).toEqual([
      409,
      { error: "anchor_mismatch", reason: "content_hash_mismatch", currentRevision: 3 },
    ]);
    expect((await withdraw(id, scene.stranger)).json.error.code).toBe("transcript_locked");
    for (const unknown of [editId, "cor_unknown"]) {
      const { status, json } = await withdraw(unknown);
      expect([status, json.error.code]).toEqual([404, "correction_not_found"]);
    }
  });
});
