import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { entityId } from "../../domain/entities.ts";
import { createEntity } from "../builders/context.ts";
import { readableState } from "../builders/readableState.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";
import { createTaughtName, type TaughtNameScene, videos, withoutRevisions } from "./taughtNameScene.ts";

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

describe("a name that a correction teaches", () => {
  it("is offered with what taught it, and how far the words stand", async () => {
    const { json, status } = await scene.get(`/${scene.id}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id: scene.id,
      status: "offered",
      entity: { id: entityId(scene.entityId), name: scene.right, type: "person" },
      wrong_words: scene.wrong,
      right_words: scene.right,
      lesson_count: 1,
      risks: { common_words: false, namesakes: [] },
      alias: null,
      decided_by: null,
      lessons: [{ video_id: scene.videoIds[0], kind: "line_edit", seq: 1, withdrawn: false }],
      standing: { video_count: videos, segment_count: 2 * videos - 1, complete: true },
    });
  });

  it("taught again it has more evidence, and is no other", async () => {
    await scene.teach(scene.videoIds[1]);
    expect(await scene.read()).toMatchObject({ lesson_count: 2, standing: { segment_count: 2 * videos - 2 } });
    expect(await scene.taughtId()).toBe(scene.id);
  });

  it("is withdrawn with the last correction that taught it, and offered again by another", async () => {
    const second = await scene.teach(scene.videoIds[1]);
    await scene.undoOne((await scene.read()).lessons[1].correction_id);
    expect(await scene.read()).toMatchObject({ status: "offered", lesson_count: 1 });
    await scene.undoOne(second);
    expect(await scene.read()).toMatchObject({ status: "withdrawn", lesson_count: 0 });
    await scene.teach(scene.videoIds[2]);
    expect(await scene.read()).toMatchObject({ status: "offered", lesson_count: 1 });
  });

  it("shows that it is another entity's name, or ordinary words", async () => {
    const namesake = await createEntity(edge.context, { name: scene.wrong });
    await scene.edit(scene.videoIds[1] ?? "", 2, `They were built by ${scene.right}.`);
    expect((await scene.read()).risks).toEqual({
      common_words: false,
      namesakes: [{ id: entityId(namesake), name: scene.wrong, type: "person" }],
    });
    const { data } = (await scene.get("?status=offered&limit=100")).json;
    expect(data.find((each: { wrong_words: string }) => each.wrong_words === "hand").risks.common_words).toBe(true);
  });

  it("is listed page by page, the oldest first, by its status", async () => {
    const another = await createTaughtName(edge, owner);
    const ids = (await scene.pages("", 1)).map((each) => Number(each["id"]));
    expect(ids).toEqual(expect.arrayContaining([scene.id, another.id]));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect((await scene.get("?status=undone")).json.data).toEqual([]);
  });

  it("a tag teaches that the words are right, and name the entity", async () => {
    await scene.edit(scene.videoIds[1] ?? "", 2, "They were built by hand by Old Quillo.");
    await scene.edit(scene.videoIds[2] ?? "", 2, "Old Quillo, old quillo's and quillo.");
    await scene.tag(scene.videoIds[1] ?? "", 2, "Old Quillo", entityId(scene.entityId));
    const { data } = (await scene.get("?status=offered&limit=100")).json;
    const taught = data.find((each: { wrong_words: string }) => each.wrong_words === "Old Quillo");
    expect(taught).toMatchObject({ right_words: null, entity: { id: entityId(scene.entityId) } });
    const before = await readableState(edge.context);
    await scene.post("accept", {}, taught.id);
    expect(await scene.carry(taught.id)).toMatchObject({ status: "carried", counts: { corrected: 1, skipped: 1 } });
    expect(await scene.mentioned(scene.videoIds[2] ?? "")).toBe(2);
    await scene.post("undo", {}, taught.id);
    expect(await scene.carry(taught.id)).toMatchObject({ status: "undone", counts: { withdrawn: 1, kept: 0 } });
    expect(withoutRevisions(await readableState(edge.context))).toEqual(withoutRevisions(before));
  });
});

describe("its preview", () => {
  it("shows each segment as it is and as it would be, with the mentions that come, page by page, and changes nothing", async () => {
    const before = await readableState(edge.context);
    const places = await scene.pages(`/${scene.id}/preview`, 3);
    expect(places).toHaveLength(2 * videos - 1);
    const start = "We talk with ".length;
    expect(places[1]).toMatchObject({
      media: { video_id: scene.videoIds[1], title: "A title" },
      segment_id: "seg_1",
      start_seconds: 5,
      text: scene.said[1],
      marks: [{ start, end: start + scene.wrong.length }],
      becomes: scene.corrected[1],
      reason: null,
      mentions_added: [{ entity: { id: entityId(scene.entityId) }, words: scene.right }],
      mentions_removed: [],
    });
    expect(places[2]).toMatchObject({ becomes: scene.corrected[3], marks: [{}, {}] });
    expect(await readableState(edge.context)).toEqual(before);
    expect(await scene.texts(scene.videoIds[1] ?? "")).toEqual(scene.said);
  });
});

it("what is not there answers 404, what is no id 400, and other keys 401", async () => {
  for (const path of ["", "/preview", "/places"]) {
    expect((await scene.get(`/999999${path}`)).json.error.code).toBe("taught_name_not_found");
    expect((await scene.get(`/abc${path}`)).status).toBe(400);
  }
  for (const body of [{ video_ids: ["no id"] }, { alias: "yes" }, { videos: [] }])
    expect((await scene.post("accept", body)).json.error.code).toBe("invalid_body");
  for (const step of ["accept", "dismiss", "undo"])
    expect((await scene.post(step, {}, 999_999)).json.error.code).toBe("taught_name_not_found");
  expect((await edge.call("GET", "/internal/taught-names", owner)).status).toBe(401);
});
