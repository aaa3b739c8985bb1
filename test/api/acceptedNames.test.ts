import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { createEntity } from "../builders/context.ts";
import { readableState } from "../builders/readableState.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";
import {
  createTaughtName,
  type TaughtNameScene,
  videos,
  withoutRevisions,
  withoutSureness,
} from "./taughtNameScene.ts";

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

describe("accepted", () => {
  it("corrects every segment that says the words, each by a correction of its own, and adds the alias", async () => {
    const { status, json } = await scene.post("accept");
    expect([status, json]).toMatchObject([200, { status: "carrying", alias: true, video_ids: null }]);
    const isTold = sql.typeAlias(
      "void",
    )`select from outbox where kind = 'teaching.start' and subject = ${String(scene.id)}`;
    expect(await edge.context.pool.exists(isTold)).toBe(true);
    expect(await scene.aliases()).toEqual([scene.wrong]);
    const lookup = await edge.call("GET", `/v1/entities/lookup?name=${encodeURIComponent(scene.wrong)}`, owner);
    expect(lookup.json).toMatchObject({ entity: { numeric_id: scene.entityId }, match: "alias" });
    const progress = await scene.carry();
    expect(progress).toMatchObject({
      status: "carried",
      counts: { corrected: 2 * videos - 1, skipped: 0, pending: 0 },
    });
    for (const videoId of scene.videoIds) {
      expect(await scene.texts(videoId)).toEqual(scene.corrected);
      expect(await scene.mentioned(videoId)).toBeGreaterThanOrEqual(2);
    }
    const { data: places } = (await scene.get(`/${scene.id}/places?limit=100`)).json;
    expect(places.map((each: { state: string }) => each.state)).toEqual(Array(2 * videos - 1).fill("corrected"));
    const log = (await edge.call("GET", `/v1/videos/${scene.videoIds[1]}/corrections`, owner)).json.data;
    expect(log).toMatchObject([
      { kind: "line_edit", isOwn: false, note: expect.stringContaining(`Taught name ${scene.id}`), status: "applied" },
      { kind: "line_edit", isOwn: false, before: [{ text: scene.said[1] }], after: [{ text: scene.corrected[1] }] },
    ]);
    expect(places[1].correction_ids).toEqual([log[1].id]);
  });

  it("words that are the entity's name already teach nothing", async () => {
    await scene.post("accept", { video_ids: [] });
    await scene.carry();
    await scene.teach(scene.videoIds[1]);
    expect(await scene.read()).toMatchObject({ status: "carried", lesson_count: 1 });
  });

  it("each of its corrections can be undone alone", async () => {
    await scene.post("accept");
    await scene.carry();
    const [place] = (await scene.get(`/${scene.id}/places`)).json.data.slice(1);
    const path = `/internal/corrections/${place.correction_ids[0]}/undo`;
    expect((await edge.call("POST", path, { key: edge.internalKey, body: {} })).status).toBe(200);
    expect((await scene.texts(scene.videoIds[1] ?? ""))[1]).toBe(scene.said[1]);
    const after = await scene.read();
    expect(after.progress).toMatchObject({ corrected: 2 * videos - 2, withdrawn: 1 });
    expect((await scene.placesOf(scene.videoIds[1] ?? ""))[0]).toMatchObject({
      state: "withdrawn",
      reason: "taken_back",
      text: scene.said[1],
      correction_ids: place.correction_ids,
    });
    await scene.post("undo");
    expect(await scene.carry()).toMatchObject({ status: "undone", counts: { withdrawn: 2 * videos - 1, kept: 0 } });
  });

  it("is for the videos that are named, and without the alias where that is not wanted", async () => {
    const chosen = [scene.videoIds[2] ?? ""];
    const { json } = await scene.post("accept", { alias: false, video_ids: chosen });
    expect(json).toMatchObject({ alias: false, video_ids: chosen });
    expect((await scene.carry()).counts.corrected).toBe(2);
    expect(await scene.aliases()).toEqual([]);
    expect(await scene.texts(scene.videoIds[1] ?? "")).toEqual(scene.said);
    expect(await scene.texts(scene.videoIds[2] ?? "")).toEqual(scene.corrected);
  });

  it("teaches nothing by what it corrects", async () => {
    await scene.post("accept");
    await scene.carry();
    expect(await scene.read()).toMatchObject({ status: "carried", lesson_count: 1 });
  });

  it("leaves alone what was edited meanwhile, and what people said otherwise of", async () => {
    const [, edited = "", told = ""] = scene.videoIds;
    const someone = await createEntity(edge.context, { name: "Somebody Else" });
    await scene.tag(told, 1, scene.wrong, entityId(someone));
    await scene.post("accept");
    await scene.carryUntilPlanned();
    await scene.edit(edited, 1, `${scene.wrong} is who we talk with.`);
    expect((await scene.carry()).counts).toMatchObject({ skipped: 2, corrected: 2 * videos - 3 });
    const { data: places } = (await scene.get(`/${scene.id}/places`)).json;
    const skipped = places.filter((each: { state: string }) => each.state === "skipped");
    expect(skipped).toMatchObject([
      { media: { video_id: edited }, reason: "edited_meanwhile", text: `${scene.wrong} is who we talk with.` },
      { media: { video_id: told }, reason: "told_otherwise", text: scene.said[1] },
    ]);
  });

  it("repeated it answers the same; otherwise it is refused", async () => {
    const first = await scene.post("accept");
    const again = await scene.post("accept", {});
    expect([again.status, again.json]).toEqual([200, first.json]);
    const other = (await scene.post("accept", { alias: false })).json.error;
    expect(other).toMatchObject({ code: "illegal_transition", message: expect.stringContaining("once it is carried") });
    expect((await scene.post("dismiss")).json.error.code).toBe("illegal_transition");
  });

  it("of two reviewers at once one decides", async () => {
    const answers = await Promise.all(
      [
        scene.post("accept"),
        scene.post("dismiss"),
        scene.post("accept", { alias: false }),
        scene.post("accept"),
        scene.post("dismiss"),
      ].map(async (answer) => (await answer).status),
    );
    const { status, alias } = await scene.read();
    const won = [
      status === "carrying" && alias === true ? 200 : 409,
      status === "dismissed" ? 200 : 409,
      status === "carrying" && alias === false ? 200 : 409,
    ];
    expect(answers).toEqual([won[0], won[1], won[2], won[0], won[1]]);
    expect(won.filter((each) => each === 200)).toHaveLength(1);
    expect(await scene.aliases()).toEqual(won[0] === 200 ? [scene.wrong] : []);
  });
});

describe("taken back", () => {
  it("restores exactly what was there, and can be accepted again", async () => {
    // How sure a mention is depends on what else the channel speaks of: what was indexed before the other videos is looked at once more.
    for (const videoId of scene.videoIds) await scene.undoOne(await scene.edit(videoId, 1, `Yes. ${scene.said[1]}`));
    const before = await readableState(edge.context);
    await scene.post("accept");
    await scene.carry();
    const { json } = await scene.post("undo");
    expect(json.status).toBe("undoing");
    expect(await scene.aliases()).toEqual([]);
    expect(await scene.carry()).toMatchObject({
      status: "undone",
      counts: { withdrawn: 2 * videos - 1, corrected: 0, kept: 0 },
    });
    expect(withoutRevisions(await readableState(edge.context))).toEqual(withoutRevisions(before));
    for (const videoId of scene.videoIds.slice(1)) expect(await scene.texts(videoId)).toEqual(scene.said);
    expect((await scene.post("undo")).json.status).toBe("undone");
    await scene.post("accept");
    expect((await scene.carry()).counts.corrected).toBe(2 * videos - 1);
  });

  it("half-way nothing more is corrected, and what was is taken back", async () => {
    const before = await readableState(edge.context);
    await scene.post("accept");
    await scene.carryUntilPlanned();
    const last = scene.videoIds.at(-1) ?? "";
    const setAside = (state: string) =>
      edge.context.pool.query(sql.typeAlias("void")`
        update taught_name_place set state = ${state} where taught_name_id = ${scene.id} and video_id = ${last}`);
    await setAside("skipped");
    await scene.carry();
    await setAside("pending");
    await edge.context.pool.query(
      sql.typeAlias("void")`update taught_name set status = 'carrying' where id = ${scene.id}`,
    );
    expect([await scene.texts(scene.videoIds[1] ?? ""), await scene.texts(last)]).toEqual([
      scene.corrected,
      scene.said,
    ]);
    await scene.post("undo");
    expect((await scene.carry()).counts).toMatchObject({ pending: 0, corrected: 0, withdrawn: 2 * videos - 3 });
    expect(withoutSureness(await readableState(edge.context))).toEqual(withoutSureness(before));
    for (const videoId of scene.videoIds.slice(1)) expect(await scene.texts(videoId)).toEqual(scene.said);
  });

  it("leaves what later edits sit on, says which, and can be accepted and taken back again", async () => {
    const [, edited = ""] = scene.videoIds;
    await scene.post("accept");
    await scene.carry();
    const later = await scene.edit(edited, 1, `Today: ${scene.right}.`);
    const [place] = await scene.placesOf(edited);
    const left = [{ correction_id: place.correction_ids[0], video_id: edited, segment_id: "seg_1" }];
    const undone = await scene.post("undo");
    expect([undone.status, undone.json]).toMatchObject([
      200,
      { status: "undoing", left: { complete: true, data: left } },
    ]);
    expect(await scene.aliases()).toEqual([]);
    expect(await scene.carry()).toMatchObject({ status: "undone", counts: { withdrawn: 2 * videos - 2, kept: 1 } });
    expect((await scene.post("undo")).json).toMatchObject({ status: "undone", left: { data: left } });
    expect(await scene.texts(edited)).toEqual([scene.said[0], `Today: ${scene.right}.`, ...scene.said.slice(2)]);
    await scene.post("accept");
    expect((await scene.carry()).counts).toMatchObject({ corrected: 2 * videos - 1, withdrawn: 0, kept: 0 });
    await scene.undoOne(later);
    expect((await scene.post("undo")).json.left).toEqual({ complete: true, data: [] });
    expect((await scene.carry()).counts).toMatchObject({ withdrawn: 2 * videos - 1, kept: 0 });
    for (const videoId of scene.videoIds.slice(1)) expect(await scene.texts(videoId)).toEqual(scene.said);
  });

  it("keeps what is edited between the undo and its turn, and says so", async () => {
    await scene.post("accept");
    await scene.carry();
    await scene.post("undo");
    await scene.edit(scene.videoIds[1] ?? "", 1, `Today: ${scene.right}.`);
    expect(await scene.carry()).toMatchObject({ status: "undone", counts: { withdrawn: 2 * videos - 2, kept: 1 } });
    expect((await scene.texts(scene.videoIds[1] ?? ""))[1]).toBe(`Today: ${scene.right}.`);
  });

  it("is refused where the entity's names were changed since", async () => {
    await scene.post("accept");
    await edge.context.pool.query(
      sql.typeAlias("void")`delete from entity_name where entity_id = ${scene.entityId} and is_alias`,
    );
    expect((await scene.post("undo")).json.error).toMatchObject({ code: "illegal_transition" });
    expect((await scene.read()).status).toBe("carrying");
  });

  it("leaves an alias that was there before", async () => {
    await edge.call("POST", "/internal/entities", {
      key: edge.internalKey,
      body: { numeric_id: scene.entityId, name: scene.right, type: "person", aliases: [scene.wrong] },
    });
    await scene.post("accept");
    await scene.carry();
    expect((await scene.post("undo")).status).toBe(200);
    expect(await scene.aliases()).toEqual([scene.wrong]);
  });

  it("a dismissal is offered again, and does not come back by itself", async () => {
    expect((await scene.post("dismiss")).json.status).toBe("dismissed");
    await scene.teach(scene.videoIds[1]);
    expect((await scene.post("dismiss")).json).toMatchObject({ status: "dismissed", lesson_count: 2 });
    expect((await scene.post("undo")).json.status).toBe("offered");
  });
});
