import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { entityId } from "../../domain/entities.ts";
import { createEntity } from "../builders/context.ts";
import { correctionsMade } from "../builders/taughtNames.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";
import { createTaughtName, type TaughtNameScene, videos } from "./taughtNameScene.ts";

let edge: Edge;
let owner: NewKey;
let scene: TaughtNameScene;
beforeAll(async () => {
  edge = await startEdge();
  owner = await edge.newKey();
});
afterAll(() => edge.close());
beforeEach(async () => {
  scene = await createTaughtName(edge, owner);
});

describe("a name that is carried, accepted again", () => {
  it("is carried to more videos, and keeps what is done", async () => {
    const [, second = "", third = ""] = scene.videoIds;
    await scene.post("accept", { alias: false, video_ids: [second] });
    await scene.carry();
    const done = (await scene.places()).map((each: { correction_ids: string[] }) => each.correction_ids);
    expect((await scene.post("accept", { alias: false, video_ids: [third] })).json).toMatchObject({
      status: "carrying",
      video_ids: [third],
      progress: { corrected: 2 },
    });
    expect((await scene.carry()).counts).toMatchObject({ corrected: 4, skipped: 0, pending: 0 });
    expect([await scene.texts(third), await scene.aliases()]).toEqual([scene.corrected, []]);
    expect((await scene.post("accept")).json).toMatchObject({ status: "carrying", alias: true, video_ids: null });
    expect((await scene.carry()).counts).toMatchObject({ corrected: 2 * videos - 1, skipped: 0 });
    expect(await scene.aliases()).toEqual([scene.wrong]);
    const places = await scene.places();
    expect(places.map((each: { correction_ids: string[] }) => each.correction_ids)).toEqual(
      expect.arrayContaining(done),
    );
    expect(await correctionsMade(edge.context, scene)).toEqual(
      scene.videoIds.map((_, n) => ({ positions: n === 0 ? 1 : 2, corrections: n === 0 ? 1 : 2, withdrawn: 0 })),
    );
    await scene.post("undo");
    expect((await scene.carry()).counts).toMatchObject({ withdrawn: 2 * videos - 1, corrected: 0, kept: 0 });
    expect(await scene.aliases()).toEqual([]);
    for (const videoId of scene.videoIds.slice(1)) expect(await scene.texts(videoId)).toEqual(scene.said);
  });

  it("corrects a video that was published since, and what was skipped but can be corrected now", async () => {
    const [, told = ""] = scene.videoIds;
    const someone = await createEntity(edge.context, { name: "Somebody Else" });
    const tagging = await scene.tag(told, 1, scene.wrong, entityId(someone));
    await scene.post("accept");
    expect((await scene.carry()).counts).toMatchObject({ corrected: 2 * videos - 2, skipped: 1 });
    await scene.undoOne(tagging);
    const published = await scene.publish();
    expect((await scene.read()).standing).toMatchObject({ video_count: 2, segment_count: 3 });
    expect((await scene.post("accept")).json).toMatchObject({ status: "carrying", progress: { skipped: 1 } });
    expect(await scene.carry()).toMatchObject({ status: "carried", counts: { corrected: 2 * videos + 1, skipped: 0 } });
    for (const videoId of [told, published]) expect(await scene.texts(videoId)).toEqual(scene.corrected);
    expect((await scene.read()).standing.segment_count).toBe(0);
    expect(await scene.aliases()).toEqual([scene.wrong]);
  });

  it("leaves what was taken back alone or edited since it was corrected, as its preview says", async () => {
    const [, undone = "", edited = ""] = scene.videoIds;
    await scene.post("accept");
    await scene.carry();
    await scene.undoOne((await scene.placesOf(undone))[0].correction_ids[0]);
    const text = `${scene.wrong} is what she is called here.`;
    await scene.edit(edited, 1, text);
    const preview = await scene.pages(`/${scene.id}/preview`, 10);
    expect(preview).toMatchObject([
      { media: { video_id: undone }, reason: "taken_back", becomes: scene.said[1], mentions_added: [] },
      { media: { video_id: edited }, reason: "later_edit", becomes: text, mentions_added: [] },
    ]);
    await scene.post("accept");
    expect((await scene.carry()).counts).toMatchObject({ corrected: 2 * videos - 2, withdrawn: 1, skipped: 0 });
    expect([(await scene.texts(undone))[1], (await scene.texts(edited))[1]]).toEqual([scene.said[1], text]);
  });

  it("the alias goes only with an undo", async () => {
    await scene.post("accept");
    await scene.carry();
    const { error } = (await scene.post("accept", { alias: false })).json;
    expect(error).toMatchObject({ code: "illegal_transition", message: expect.stringContaining("undo") });
    expect((await scene.read()).status).toBe("carried");
  });

  it("half-way through it, an undo takes back what was done before too", async () => {
    const [, second = ""] = scene.videoIds;
    await scene.post("accept", { video_ids: [second] });
    await scene.carry();
    await scene.post("accept");
    await scene.carryUntilPlanned();
    expect((await scene.post("undo")).json).toMatchObject({ status: "undoing", progress: { corrected: 2 } });
    expect((await scene.carry()).counts).toMatchObject({ withdrawn: 2, corrected: 0, pending: 0 });
    expect([await scene.texts(second), await scene.aliases()]).toEqual([scene.said, []]);
  });
});
