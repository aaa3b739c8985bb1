import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import type { Caller } from "../../services/context.ts";
import { carryName } from "../../services/teaching/carry.ts";
import { undoCorrection } from "../../services/corrections/withdraw.ts";
import { createEntity } from "../builders/context.ts";
import { readableState } from "../builders/readableState.ts";
import { carryAll, createMisheardName, type MisheardName } from "../builders/taughtNames.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

const videos = 4;
let edge: Edge;
let owner: NewKey;
let caller: Caller;
let scene: MisheardName;
let id: number;
beforeAll(async () => {
  edge = await startEdge({ connections: 10 });
  owner = await edge.newKey();
  caller = { ...owner, tier: "enterprise", scopes: ["read"], requestId: "req_test" };
});
afterAll(() => edge.close());
beforeEach(async () => {
  scene = await createMisheardName(edge.context, caller, videos);
  await scene.teach();
  id = await scene.taughtId();
});

const get = (path: string) => edge.call("GET", `/internal/taught-names${path}`, { key: edge.internalKey });
const post = (step: string, body?: unknown, headers: Record<string, string> = {}) =>
  edge.call("POST", `/internal/taught-names/${id}/${step}`, { key: edge.internalKey, body, headers });
const read = async () => (await get(`/${id}`)).json;
const carry = () => carryAll(edge.context, id);
const undoOne = (correctionId: string) =>
  edge.context.pool.transaction((transaction) => undoCorrection(transaction, correctionId, null));
const aliases = () =>
  edge.context.pool.anyFirst(sql.type(z.object({ name: z.string() }))`
    select name from entity_name where entity_id = ${scene.entityId} and is_alias`);
const mentioned = (videoId: string, entity: number) =>
  edge.context.pool.oneFirst(sql.type(z.object({ n: count }))`
    select count(*) as n from mention where video_id = ${videoId} and entity_id = ${entity} and not is_appearance`);
const outbox = () =>
  edge.context.pool.oneFirst(sql.type(z.object({ n: count }))`
    select count(*) as n from outbox where kind = 'teaching.start' and subject = ${String(id)}`);

/** The lines of a video when its name is right everywhere. */
const corrected = () => [
  scene.said[0],
  `We talk with ${scene.right} and ${scene.other} today.`,
  scene.said[2],
  `This is ${scene.right}'s work. ${scene.right}, thank you.`,
];

describe("a name that a correction teaches", () => {
  it("is offered with what taught it, and how far the words stand", async () => {
    const { json, status } = await get(`/${id}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id,
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
    expect(await read()).toMatchObject({ lesson_count: 2, standing: { segment_count: 2 * videos - 2 } });
    expect(await scene.taughtId()).toBe(id);
  });

  it("is withdrawn with the last correction that taught it, and offered again by another", async () => {
    const second = await scene.teach(scene.videoIds[1]);
    await undoOne((await read()).lessons[1].correction_id);
    expect(await read()).toMatchObject({ status: "offered", lesson_count: 1 });
    await undoOne(second);
    expect(await read()).toMatchObject({ status: "withdrawn", lesson_count: 0 });
    await scene.teach(scene.videoIds[2]);
    expect(await read()).toMatchObject({ status: "offered", lesson_count: 1 });
  });

  it("shows that it is another entity's name, or ordinary words", async () => {
    const namesake = await createEntity(edge.context, { name: scene.wrong });
    await scene.edit(scene.videoIds[1] ?? "", 2, `They were built by ${scene.right}.`);
    expect((await read()).risks).toEqual({
      common_words: false,
      namesakes: [{ id: entityId(namesake), name: scene.wrong, type: "person" }],
    });
    const { data } = (await get("?status=offered&limit=100")).json;
    expect(data.find((each: { wrong_words: string }) => each.wrong_words === "hand").risks.common_words).toBe(true);
  });

  it("is listed page by page, the oldest first, by its status", async () => {
    const rest = await createMisheardName(edge.context, caller, 1);
    await rest.teach();
    const { data: all } = (await get("?limit=100")).json;
    const ids: number[] = [];
    for (let cursor: string | null = null; ;) {
      const { json } = await get(`?limit=1${cursor === null ? "" : `&cursor=${cursor}`}`);
      ids.push(...json.data.map((each: { id: number }) => each.id));
      cursor = json.next_cursor;
      if (cursor === null) break;
    }
    expect(ids).toEqual(all.map((each: { id: number }) => each.id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect((await get("?status=undone")).json.data).toEqual([]);
  });

  it("a tag teaches that the words are right, and name the entity", async () => {
    const text = "They were built by hand by Old Quillo.";
    await scene.edit(scene.videoIds[1] ?? "", 2, text);
    await scene.edit(scene.videoIds[2] ?? "", 2, "Old Quillo, old quillo's and quillo.");
    const segment = (await edge.call("GET", `/v1/transcripts/${scene.videoIds[1]}`, owner)).json.segments[2];
    const charStart = text.indexOf("Old Quillo");
    const tagged = await edge.call("POST", `/v1/videos/${scene.videoIds[1]}/corrections`, {
      key: owner.key,
      body: {
        kind: "entity_tag",
        revision: 2,
        anchor: { segmentId: segment.id, contentHash: segment.contentHash },
        entityId: entityId(scene.entityId),
        charStart,
        charEnd: charStart + "Old Quillo".length,
        action: "add",
      },
    });
    expect(tagged.status).toBe(201);
    const { data } = (await get("?status=offered&limit=100")).json;
    const taught = data.find((each: { wrong_words: string }) => each.wrong_words === "Old Quillo");
    expect(taught).toMatchObject({ right_words: null, entity: { id: entityId(scene.entityId) } });
    id = taught.id;
    const before = await readableState(edge.context);
    await post("accept");
    expect(await carry()).toMatchObject({ status: "carried", counts: { corrected: 1, skipped: 1 } });
    expect(await mentioned(scene.videoIds[2] ?? "", scene.entityId)).toBe(2);
    await post("undo");
    expect(await carry()).toMatchObject({ status: "undone", counts: { withdrawn: 1, kept: 0 } });
    expect(withoutRevisions(await readableState(edge.context))).toEqual(withoutRevisions(before));
  });
});

describe("its preview", () => {
  it("shows each segment as it is and as it would be, with the mentions that come, page by page, and changes nothing", async () => {
    const before = await readableState(edge.context);
    const places: Record<string, unknown>[] = [];
    for (let cursor: string | null = null; ;) {
      const { json } = await get(`/${id}/preview?limit=3${cursor === null ? "" : `&cursor=${cursor}`}`);
      places.push(...json.data);
      cursor = json.next_cursor;
      if (cursor === null) break;
    }
    expect(places).toHaveLength(2 * videos - 1);
    const start = "We talk with ".length;
    expect(places[1]).toMatchObject({
      media: { video_id: scene.videoIds[1], title: "A title" },
      segment_id: "seg_1",
      start_seconds: 5,
      text: scene.said[1],
      marks: [{ start, end: start + scene.wrong.length }],
      becomes: corrected()[1],
      reason: null,
      mentions_added: [{ entity: { id: entityId(scene.entityId) }, words: scene.right }],
      mentions_removed: [],
    });
    expect(places[2]).toMatchObject({ becomes: corrected()[3], marks: [{}, {}] });
    expect(await readableState(edge.context)).toEqual(before);
    expect(await scene.texts(scene.videoIds[1] ?? "")).toEqual(scene.said);
  });
});

describe("accepted", () => {
  it("corrects every segment that says the words, each by a correction of its own, and adds the alias", async () => {
    const { status, json } = await post("accept");
    expect([status, json]).toMatchObject([200, { status: "carrying", alias: true, video_ids: null }]);
    expect(await outbox()).toBe(1);
    expect(await aliases()).toEqual([scene.wrong]);
    const progress = await carry();
    expect(progress).toMatchObject({
      status: "carried",
      counts: { corrected: 2 * videos - 1, skipped: 0, pending: 0 },
    });
    for (const videoId of scene.videoIds) {
      expect(await scene.texts(videoId)).toEqual(corrected());
      expect(await mentioned(videoId, scene.entityId)).toBeGreaterThanOrEqual(2);
    }
    const { data: places } = (await get(`/${id}/places?limit=100`)).json;
    expect(places.map((each: { state: string }) => each.state)).toEqual(Array(2 * videos - 1).fill("corrected"));
    const log = (await edge.call("GET", `/v1/videos/${scene.videoIds[1]}/corrections`, owner)).json.data;
    expect(log).toMatchObject([
      { kind: "line_edit", isOwn: false, note: expect.stringContaining(`Taught name ${id}`), status: "applied" },
      { kind: "line_edit", isOwn: false, before: [{ text: scene.said[1] }], after: [{ text: corrected()[1] }] },
    ]);
    expect(places[1].correction_ids).toEqual([log[1].id]);
  });

  it("words that are the entity's name already teach nothing", async () => {
    await post("accept", { video_ids: [] });
    await carry();
    await scene.teach(scene.videoIds[1]);
    expect(await read()).toMatchObject({ status: "carried", lesson_count: 1 });
  });

  it("each of its corrections can be undone alone", async () => {
    await post("accept");
    await carry();
    const [place] = (await get(`/${id}/places`)).json.data.slice(1);
    const path = `/internal/corrections/${place.correction_ids[0]}/undo`;
    expect((await edge.call("POST", path, { key: edge.internalKey, body: {} })).status).toBe(200);
    expect((await scene.texts(scene.videoIds[1] ?? ""))[1]).toBe(scene.said[1]);
    await post("undo");
    expect(await carry()).toMatchObject({ status: "undone", counts: { withdrawn: 2 * videos - 1, kept: 0 } });
  });

  it("is for the videos that are named, and without the alias where that is not wanted", async () => {
    const chosen = [scene.videoIds[2] ?? ""];
    const { json } = await post("accept", { alias: false, video_ids: chosen });
    expect(json).toMatchObject({ alias: false, video_ids: chosen });
    expect((await carry()).counts.corrected).toBe(2);
    expect(await aliases()).toEqual([]);
    expect(await scene.texts(scene.videoIds[1] ?? "")).toEqual(scene.said);
    expect(await scene.texts(scene.videoIds[2] ?? "")).toEqual(corrected());
  });

  it("teaches nothing by what it corrects", async () => {
    await post("accept");
    await carry();
    expect(await read()).toMatchObject({ status: "carried", lesson_count: 1 });
  });

  it("leaves alone what was edited meanwhile, and what people said otherwise of", async () => {
    const [, edited = "", told = ""] = scene.videoIds;
    const segment = (await edge.call("GET", `/v1/transcripts/${told}`, owner)).json.segments[1];
    const charStart = segment.text.indexOf(scene.wrong);
    const someone = await createEntity(edge.context, { name: "Somebody Else" });
    await edge.call("POST", `/v1/videos/${told}/corrections`, {
      key: owner.key,
      body: {
        kind: "entity_tag",
        revision: 1,
        anchor: { segmentId: segment.id, contentHash: segment.contentHash },
        entityId: entityId(someone),
        charStart,
        charEnd: charStart + scene.wrong.length,
        action: "add",
      },
    });
    await post("accept");
    await carryUntilPlanned();
    await scene.edit(edited, 1, `${scene.wrong} is who we talk with.`);
    expect((await carry()).counts).toMatchObject({ skipped: 2, corrected: 2 * videos - 3 });
    const { data: places } = (await get(`/${id}/places`)).json;
    const skipped = places.filter((each: { state: string }) => each.state === "skipped");
    expect(skipped).toMatchObject([
      { media: { video_id: edited }, reason: "edited_meanwhile", text: `${scene.wrong} is who we talk with.` },
      { media: { video_id: told }, reason: "told_otherwise", text: scene.said[1] },
    ]);
  });

  it("repeated it answers the same; otherwise it is refused", async () => {
    const first = await post("accept");
    const again = await post("accept", {});
    expect([again.status, again.json]).toEqual([200, first.json]);
    expect((await post("accept", { alias: false })).json.error.code).toBe("illegal_transition");
    expect((await post("dismiss")).json.error.code).toBe("illegal_transition");
  });

  it("of two reviewers at once one decides", async () => {
    const answers = await Promise.all(
      [post("accept"), post("dismiss"), post("accept", { alias: false }), post("accept"), post("dismiss")].map(
        async (answer) => (await answer).status,
      ),
    );
    const { status, alias } = await read();
    const won = [
      status === "carrying" && alias === true ? 200 : 409,
      status === "dismissed" ? 200 : 409,
      status === "carrying" && alias === false ? 200 : 409,
    ];
    expect(answers).toEqual([won[0], won[1], won[2], won[0], won[1]]);
    expect(won.filter((each) => each === 200)).toHaveLength(1);
    expect(await aliases()).toEqual(won[0] === 200 ? [scene.wrong] : []);
  });
});

describe("taken back", () => {
  it("restores exactly what was there, and can be accepted again", async () => {
    // How sure a mention is depends on what else the channel speaks of: what was indexed before the other videos is looked at once more.
    for (const videoId of scene.videoIds) await undoOne(await scene.edit(videoId, 1, `Yes. ${scene.said[1]}`));
    const before = await readableState(edge.context);
    await post("accept");
    await carry();
    const { json } = await post("undo");
    expect(json.status).toBe("undoing");
    expect(await aliases()).toEqual([]);
    expect(await carry()).toMatchObject({
      status: "undone",
      counts: { withdrawn: 2 * videos - 1, corrected: 0, kept: 0 },
    });
    expect(withoutRevisions(await readableState(edge.context))).toEqual(withoutRevisions(before));
    for (const videoId of scene.videoIds.slice(1)) expect(await scene.texts(videoId)).toEqual(scene.said);
    expect((await post("undo")).json.status).toBe("undone");
    await post("accept");
    expect((await carry()).counts.corrected).toBe(2 * videos - 1);
  });

  it("half-way nothing more is corrected, and what was is taken back", async () => {
    const before = await readableState(edge.context);
    await post("accept");
    await carryUntilPlanned();
    const last = scene.videoIds.at(-1) ?? "";
    const setAside = (state: string) =>
      edge.context.pool.query(sql.typeAlias("void")`
        update taught_name_place set state = ${state} where taught_name_id = ${id} and video_id = ${last}`);
    await setAside("skipped");
    await carry();
    await setAside("pending");
    await edge.context.pool.query(sql.typeAlias("void")`update taught_name set status = 'carrying' where id = ${id}`);
    expect([await scene.texts(scene.videoIds[1] ?? ""), await scene.texts(last)]).toEqual([corrected(), scene.said]);
    await post("undo");
    expect((await carry()).counts).toMatchObject({ pending: 0, corrected: 0, withdrawn: 2 * videos - 3 });
    expect(withoutSureness(await readableState(edge.context))).toEqual(withoutSureness(before));
    for (const videoId of scene.videoIds.slice(1)) expect(await scene.texts(videoId)).toEqual(scene.said);
  });

  it("is refused, with which, where later edits sit on it, and changes nothing", async () => {
    await post("accept");
    await carry();
    const later = await scene.edit(scene.videoIds[1] ?? "", 1, `Today: ${scene.right}.`);
    const before = await readableState(edge.context);
    const refused = await post("undo");
    const { data } = (await get(`/${id}/places`)).json;
    expect([refused.status, refused.json.error.code]).toEqual([409, "illegal_transition"]);
    expect(refused.json.error.message).toContain(data[1].correction_ids[0]);
    expect(refused.json.error.message).toContain(scene.videoIds[1]);
    expect([await readableState(edge.context), (await read()).status]).toEqual([before, "carried"]);
    await undoOne(later);
    expect((await post("undo")).status).toBe(200);
  });

  it("keeps what is edited between the undo and its turn, and says so", async () => {
    await post("accept");
    await carry();
    await post("undo");
    await scene.edit(scene.videoIds[1] ?? "", 1, `Today: ${scene.right}.`);
    expect(await carry()).toMatchObject({ status: "undone", counts: { withdrawn: 2 * videos - 2, kept: 1 } });
    expect((await scene.texts(scene.videoIds[1] ?? ""))[1]).toBe(`Today: ${scene.right}.`);
  });

  it("is refused where the entity's names were changed since", async () => {
    await post("accept");
    await edge.context.pool.query(
      sql.typeAlias("void")`delete from entity_name where entity_id = ${scene.entityId} and is_alias`,
    );
    expect((await post("undo")).json.error).toMatchObject({ code: "illegal_transition" });
    expect((await read()).status).toBe("carrying");
  });

  it("leaves an alias that was there before", async () => {
    await edge.call("POST", "/internal/entities", {
      key: edge.internalKey,
      body: { numeric_id: scene.entityId, name: scene.right, type: "person", aliases: [scene.wrong] },
    });
    await post("accept");
    await carry();
    expect((await post("undo")).status).toBe(200);
    expect(await aliases()).toEqual([scene.wrong]);
  });

  it("a dismissal is offered again, and does not come back by itself", async () => {
    expect((await post("dismiss")).json.status).toBe("dismissed");
    await scene.teach(scene.videoIds[1]);
    expect((await post("dismiss")).json).toMatchObject({ status: "dismissed", lesson_count: 2 });
    expect((await post("undo")).json.status).toBe("offered");
  });
});

it("what is not there answers 404, what is no number 400, and other keys 401", async () => {
  for (const path of ["", "/preview", "/places"]) {
    expect((await get(`/999999${path}`)).json.error.code).toBe("taught_name_not_found");
    expect((await get(`/abc${path}`)).status).toBe(400);
  }
  id = 999_999;
  for (const step of ["accept", "dismiss", "undo"])
    expect((await post(step)).json.error.code).toBe("taught_name_not_found");
  expect((await edge.call("GET", "/internal/taught-names", owner)).status).toBe(401);
});

/** Until the places are known and none is corrected. */
async function carryUntilPlanned(): Promise<void> {
  while ((await carryName(edge.context, id)).counts.pending === 0);
}

/** Evidence that is detected anew says in which revision, so that of a transcript that was changed and changed back differs. */
function withoutRevisions(state: readonly string[][]): string[][] {
  return state.map((rows) =>
    rows.map((row) => row.replaceAll(/"transcript_revision": \d+/g, '"transcript_revision": 0')),
  );
}

/** The same without how sure mentions are, which depends on what else the channel speaks of by now. */
function withoutSureness(state: readonly string[][]): string[][] {
  return withoutRevisions(state).map((rows) =>
    rows.map((row) => row.replace(/"confidence": [\d.]+/, '"confidence": 0')),
  );
}
