import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createEntity } from "../builders/context.ts";
import { type CorrectionScene, saidAtFirst, startCorrections } from "./correctionScene.ts";
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

describe("speakers and persons", () => {
  it("are told apart, named, and undone by a reviewer", async () => {
    const ada = await createEntity(scene.edge.context, { name: "Ada Quillfeather", type: "person" });
    const engine = await createEntity(scene.edge.context, { type: "product" });
    const { revision, anchor: anchored } = await scene.anchor(0);
    const reassigned = await scene.correct({
      kind: "speaker_reassign",
      revision,
      anchor: anchored,
      newSpeakerLabel: "The host",
    });
    const speakerId = reassigned.segments[0]?.speakerId ?? "";
    const speaker = { id: speakerId, label: "The host", entityId: null, role: null };
    expect((await scene.read()).speakers).toEqual([speaker]);
    const wrong = await scene.post({ kind: "speaker_identify", speakerId, entityId: `ent_${engine}` });
    expect([wrong.status, wrong.json.error.code]).toEqual([400, "appearances_person_only"]);
    const unknown = await scene.post({ kind: "speaker_identify", speakerId, entityId: "ent_999999" });
    expect([unknown.status, unknown.json.error.code]).toEqual([404, "entity_not_found"]);
    const identified = await scene.correct({ kind: "speaker_identify", speakerId, entityId: `ent_${ada}` });
    expect(identified.segments).toEqual([]);
    await scene.correct({ kind: "add_person", name: "ada quillfeather", role: "host" });
    await scene.correct({ kind: "add_person", name: "Somebody Unheard", role: "guest" });
    const { speakers, seq } = await scene.read();
    expect(speakers.map(({ label, entityId, role }) => [label, entityId, role])).toEqual([
      ["The host", `ent_${ada}`, "host"],
      ["Somebody Unheard", null, "guest"],
    ]);
    expect(seq).toBe(4);
    const undo = (id: string, body?: unknown) =>
      scene.edge.call("POST", `/internal/corrections/${id}/undo`, { key: scene.edge.internalKey, body });
    const early = await undo(reassigned.id);
    expect([early.status, early.json.error]).toEqual([409, "anchor_mismatch"]);
    const list = answered(
      await scene.edge
        .client(scene.owner)
        .GET("/v1/videos/{video_id}/corrections", { params: { path: { video_id: videoId } } }),
    ).data;
    for (const { id, kind } of list.data) {
      const { status, json } = await undo(id, { note: "a test" });
      expect([status, json.id, json.kind, json.videoId, json.status]).toEqual([200, id, kind, videoId, "withdrawn"]);
    }
    const after = await scene.read();
    expect([after.speakers, after.seq]).toEqual([[], 8]);
    expect((await undo("cor_unknown")).json.error.code).toBe("correction_not_found");
  });
});

describe("the log", () => {
  it("lists corrections newest first, page by page, with what was before and after", async () => {
    await scene.correct({ ...(await scene.editOf(0, "Welcome!")), note: "shorter" });
    const rewrite = await scene.correct(await scene.rewriteOf(1, 2, [{ text: "Engines." }]));
    await scene.correct(await scene.editOf(2, "Bye."));
    await scene.edge
      .client(scene.owner)
      .DELETE("/v1/corrections/segment-rewrites/{id}", { params: { path: { id: rewrite.id } } });
    const page = async (query: { limit: number; cursor?: string }) =>
      answered(
        await scene.edge
          .client(scene.owner)
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
      [saidAtFirst.slice(1, 3), ["Engines."]],
      [["Welcome to the show."], ["Welcome!"]],
    ]);
    expect(all.at(-1)).toMatchObject({ note: "shorter", isOwn: true, asked: { kind: "line_edit", text: "Welcome!" } });
  });
});
