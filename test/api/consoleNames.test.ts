import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { createEntity } from "../builders/context.ts";
import { createMisheardName } from "../builders/taughtNames.ts";
import { allPages, factsOf, rowsOf } from "./consoleReading.ts";
import { createVisitor, type Visitor } from "./consoleVisitor.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";
import { createTaughtName, type TaughtNameScene, videos } from "./taughtNameScene.ts";

let edge: Edge;
let owner: NewKey;
let scene: TaughtNameScene;
let visitor: Visitor;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
  owner = await edge.newKey();
});
afterAll(() => edge.close());
beforeEach(async () => {
  scene = await createTaughtName(edge, owner);
  visitor = createVisitor(edge);
  await visitor.signIn();
});

const hostile = `<script>alert(1)</script><img src=x onerror="alert(2)">'"&amp;</textarea>`;
const path = () => `/console/names/${scene.id}`;
const name = () => visitor.get(path());
const statusNow = async () => (await scene.read()).status;
/** How often its workflow was asked for. */
const asked = () =>
  edge.context.pool.oneFirst(sql.type(z.object({ n: z.int() }))`
    select count(*)::int as n from outbox where kind = 'teaching.start' and subject = ${String(scene.id)}`);
const accepted = async () => {
  await visitor.press(await name(), "Accept");
  await scene.carry();
};

describe("the queue of names", () => {
  it("shows what is offered, with its entity, its words and what taught it, or what is asked for", async () => {
    await scene.teach(scene.videoIds[1]);
    const row = async (query = "") => {
      const pages = await allPages((page) => visitor.get(page), `/console/names${query}`);
      return pages.flat().find((each) => each["Name"] === `#${scene.id}`);
    };
    expect(await row()).toMatchObject({
      Words: `${scene.wrong} → ${scene.right}`,
      Entity: `${scene.right} (person) ent_${scene.entityId}`,
      Status: "offered",
      Flags: "none",
      Corrections: "2",
    });
    expect(await row("?status=carried")).toBeUndefined();
    await createEntity(edge.context, { name: scene.wrong, type: "brand" });
    await scene.edit(scene.videoIds[1] ?? "", 2, `They were built by ${scene.right}.`);
    const flagged = rowsOf(await visitor.get("/console/names")).map((each) => [each["Words"], each["Flags"]]);
    expect(flagged).toContainEqual([`hand → ${scene.right}`, "ordinary words"]);
    expect((await row())?.["Flags"]).toContain(`another entity’s name ${scene.wrong} (brand)`);
    await accepted();
    expect(await row()).toBeUndefined();
    expect((await row("?status=carried"))?.["Status"]).toMatch(/^carried \d+ corrected$/);
    expect((await row("?status=any"))?.["Name"]).toBe(`#${scene.id}`);
  });

  it("pages through many, each once, and takes no cursor of another list", async () => {
    const { pool } = edge.context;
    await pool.query(sql.typeAlias("void")`
      insert into taught_name (entity_id, wrong_key, right_key, wrong_words, right_words, status)
      select ${scene.entityId}, 'many ' || n, '', 'many ' || n, null, 'dismissed' from generate_series(1, 120) as n`);
    const pages = await allPages((page) => visitor.get(page), "/console/names?status=dismissed");
    expect(pages.map((page) => page.length)).toEqual([50, 50, expect.any(Number)]);
    const words = pages.flat().map((each) => each["Words"]);
    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((each) => each?.startsWith("many"))).toHaveLength(120);
    const next = (await visitor.get("/console/names?status=dismissed")).links.get("Next page") ?? "";
    expect((await visitor.get(next.replace("dismissed", "any"))).status).toBe(400);
    expect((await visitor.get("/console/names?status=heard")).status).toBe(400);
    await pool.query(sql.typeAlias("void")`delete from taught_name where wrong_key like 'many %'`);
  });

  it("stands in the navigation, behind keys that its help tells", async () => {
    const page = await visitor.get("/console/names");
    expect([page.title, page.links.get("Names")]).toEqual(["Names", "/console/names"]);
    expect(page.text).toContain('data-go="n"');
    expect(page.texts("dt")).toContain("g n");
  });
});

describe("a name", () => {
  it("shows what taught it, how far the words stand, and each place as it is and as it would be", async () => {
    const page = await name();
    expect([page.status, page.title]).toEqual([200, `Name #${scene.id}`]);
    expect(factsOf(page)).toMatchObject({
      Words: `${scene.wrong} → ${scene.right}`,
      "Stands now": `in ${2 * videos - 1} segments of ${videos} videos`,
      Workflow: `taught-name-${scene.id}`,
    });
    const [lesson] = (await scene.read()).lessons;
    expect(rowsOf(page, "Corrections that taught it")).toMatchObject([
      { Correction: lesson.correction_id, Kind: "line edit", Video: scene.videoIds[0], Stands: "yes" },
    ]);
    const places = rowsOf(page, "Where the words stand");
    expect(places).toHaveLength(2 * videos - 1);
    expect(places[1]).toMatchObject({
      "As it is": scene.said[1],
      "As it would be": scene.corrected[1],
      Mentions: `added ${scene.right} (person) ent_${scene.entityId}`,
    });
    expect(page.texts("mark").slice(0, 2)).toEqual([scene.wrong, scene.wrong.toUpperCase()]);
    const moment = [...page.links].find(([, to]) => to.includes(`${scene.videoIds.at(-1)}&t=5s`));
    expect(moment?.[0]).toContain("at 0:05");
    expect(await scene.texts(scene.videoIds[1] ?? "")).toEqual(scene.said);
  });

  it("pages through its places, before and after it is carried out", async () => {
    const caller = { ...owner, tier: "enterprise", scopes: ["read"], requestId: "req_test" } as const;
    const many = await createMisheardName(edge.context, caller, 12);
    await many.teach();
    const id = await many.taughtId();
    const pages = async (show: string) => {
      const found = await allPages((page) => visitor.get(page), `/console/names/${id}?show=${show}`);
      return found.map((rows) => rows.flatMap(({ Place, State }) => (Place === undefined ? [] : [State])));
    };
    expect((await pages("preview")).map((rows) => rows.length)).toEqual([20, 3]);
    expect(await pages("places")).toEqual([[]]);
    await visitor.press(await visitor.get(`/console/names/${id}`), "Accept");
    await scene.carry(id);
    expect(await pages("places")).toEqual([Array(20).fill("corrected"), Array(3).fill("corrected")]);
    const carried = await visitor.get(`/console/names/${id}`);
    expect(carried.texts("h2")).toContain("What became of each place");
    const now = await visitor.get(carried.links.get("Where the words stand now") ?? "");
    expect(now.texts(".empty")).toEqual(["The words stand nowhere now."]);
    const foreign = (carried.links.get("Next page") ?? "").replace(`/${id}?`, `/${scene.id}?`);
    expect((await visitor.get(foreign)).status).toBe(400);
  });

  it("shows whatever people wrote as text", async () => {
    const { pool } = edge.context;
    await pool.query(sql.typeAlias("void")`
      update entity set name = ${hostile} where id = ${scene.entityId}`);
    await pool.query(sql.typeAlias("void")`
      update taught_name set wrong_words = ${`${scene.wrong} ${hostile}`}, right_words = ${hostile} where id = ${scene.id}`);
    const shown = await Promise.all(["", path(), `${path()}/undo`].map((to) => visitor.get(to || "/console/names")));
    for (const page of shown) {
      expect(page.status).toBe(200);
      expect(page.text).not.toContain("<script>alert");
      expect([page.texts("script"), page.texts("img")]).toEqual([[""], []]);
      expect(page.says).toContain(hostile);
    }
  });

  it("so are titles and what was said", async () => {
    const videoId = scene.videoIds[1] ?? "";
    await edge.context.pool.query(sql.typeAlias("void")`update video set title = ${hostile} where id = ${videoId}`);
    await scene.edit(videoId, 1, `${scene.wrong} said ${hostile}`);
    const page = await name();
    expect([page.texts("script"), page.texts("img")]).toEqual([[""], []]);
    expect(rowsOf(page, "Where the words stand").map((each) => each["As it is"])).toContain(
      `${scene.wrong} said ${hostile}`,
    );
    expect([...page.links.keys()].some((text) => text.startsWith(`${hostile} at `))).toBe(true);
  });

  it("that is not there is no page", async () => {
    for (const to of ["999999999", "0x1", "9".repeat(30), "999999999/undo"])
      expect((await visitor.get(`/console/names/${to}`)).status).toBe(404);
    const { fields } = (await name()).pressed("Dismiss");
    for (const step of ["accept", "dismiss", "undo"]) {
      if (step === "accept") fields.set("scope", "all");
      else fields.delete("scope");
      const answer = await visitor.post(`/console/names/999999999/${step}`, Object.fromEntries(fields));
      expect(answer.status).toBe(404);
    }
  });
});

describe("deciding on a name", () => {
  it("accepts it once, however often it is pressed, and shows how far its workflow is", async () => {
    const page = await name();
    const pressed = await Promise.all([visitor.press(page, "Accept"), visitor.press(page, "Accept")]);
    expect(pressed.map((each) => [each.status, each.path])).toEqual([
      [200, path()],
      [200, path()],
    ]);
    expect([await statusNow(), await scene.aliases()]).toEqual(["carrying", [scene.wrong]]);
    expect(await asked()).toBeGreaterThan(0);
    expect((await visitor.press(page, "Accept")).texts(".flash")).toEqual(["Accepted before: nothing changed."]);
    await scene.carryUntilPlanned();
    const underWay = factsOf(await name());
    expect(underWay["Progress"]).toBe(`${2 * videos - 1} to go · Reload to see how far it is`);
    expect(underWay).toMatchObject({ Alias: "yes", Videos: "all", Decided: expect.stringContaining("key_") });
    await scene.carry();
    expect(factsOf(await name())).toMatchObject({ Status: "carried", Progress: `${2 * videos - 1} corrected` });
    expect(await scene.texts(scene.videoIds[1] ?? "")).toEqual(scene.corrected);
    const other = await visitor.press(page, "Accept", { alias: [] });
    expect([other.status, other.texts(".problem")]).toEqual([
      409,
      [expect.stringContaining("only an undo takes back")],
    ]);
    const published = await scene.publish();
    await visitor.press(await name(), "Accept");
    await scene.carry();
    expect(factsOf(await name())).toMatchObject({ Status: "carried", Progress: `${2 * videos + 1} corrected` });
    expect([await scene.texts(published), await scene.aliases()]).toEqual([scene.corrected, [scene.wrong]]);
  });

  it("accepts it for the videos that are ticked, without the alias, and asks for something to do", async () => {
    const page = await name();
    const chosen = [scene.videoIds[1] ?? "", scene.videoIds[2] ?? ""];
    for (const [filled, problem] of [
      [{ scope: "chosen" }, "Tick at least one video, or choose all."],
      [{ scope: "none", alias: [] }, "Neither alias nor videos: then there is nothing to accept."],
    ] as const) {
      const failed = await visitor.press(page, "Accept", filled);
      expect([failed.status, failed.texts(".problem")]).toEqual([400, [problem]]);
      expect(failed.pressed("Accept").fields.get("scope")).toBe(filled.scope);
    }
    expect((await visitor.press(page, "Accept", { scope: "chosen", video: "no id" })).status).toBe(400);
    expect([await statusNow(), await asked()]).toEqual(["offered", 0]);
    await visitor.press(page, "Accept", { scope: "chosen", alias: [], video: chosen });
    await scene.carry();
    expect(await scene.read()).toMatchObject({ status: "carried", alias: false, video_ids: chosen });
    expect(await scene.aliases()).toEqual([]);
    expect(await scene.texts(scene.videoIds[2] ?? "")).toEqual(scene.corrected);
    expect(await scene.texts(scene.videoIds[3] ?? "")).toEqual(scene.said);
    expect(factsOf(await name())["Videos"]).toContain("2 chosen");
  });

  it("dismisses it, and offers it again", async () => {
    const page = await name();
    const dismissed = await visitor.press(page, "Dismiss");
    expect([dismissed.texts(".flash"), await statusNow()]).toEqual([["Dismissed."], "dismissed"]);
    expect((await visitor.press(page, "Dismiss")).texts(".flash")).toEqual(["Dismissed before: nothing changed."]);
    const late = await visitor.press(page, "Accept");
    expect([late.status, late.texts(".problem")]).toEqual([409, ["The name is dismissed: it cannot be accepted."]]);
    await visitor.press(dismissed, "Offer it again");
    expect([await statusNow(), await asked()]).toEqual(["offered", 0]);
  });

  it("undoes it after a look at what that takes back", async () => {
    await accepted();
    const undo = await visitor.get((await name()).links.get("Undo…") ?? "");
    expect(undo.texts("li").join(" ")).toContain(`The corrections of ${2 * videos - 1} segments`);
    const undone = await visitor.press(undo, "Undo");
    expect([undone.texts(".flash"), await statusNow()]).toEqual([["Undone."], "undoing"]);
    expect((await visitor.press(undo, "Undo")).texts(".flash")).toEqual(["Undone before: nothing changed."]);
    await scene.carry();
    expect(factsOf(await name())).toMatchObject({
      Status: "undone",
      Progress: `${2 * videos - 1} taken back`,
    });
    expect([await scene.texts(scene.videoIds[1] ?? ""), await scene.aliases()]).toEqual([scene.said, []]);
    expect(() => undone.pressed("Accept")).toThrow("no button");
    expect((await name()).pressed("Accept").action).toBe(`${path()}/accept`);
  });

  it("says what an undo leaves, as later edits sit on it, before and after it is asked to", async () => {
    await accepted();
    await scene.edit(scene.videoIds[2] ?? "", 1, "Somebody wrote this since.");
    const [place] = await scene.placesOf(scene.videoIds[2] ?? "");
    const left = [{ Correction: place.correction_ids.at(-1), Video: scene.videoIds[2], Segment: "seg_1" }];
    const before = await visitor.get(`${path()}/undo`);
    expect(rowsOf(before, "Corrections that later edits sit on")).toEqual(left);
    expect((await visitor.press(before, "Undo")).texts(".flash")).toEqual(["Undone."]);
    await scene.carry();
    const progress = `${2 * videos - 2} taken back, 1 kept, as they were edited since`;
    expect(factsOf(await name())).toMatchObject({ Status: "undone", Progress: progress });
    const after = await visitor.get(`${path()}/undo`);
    expect(rowsOf(after, "Corrections that later edits sit on")).toEqual(left);
    expect(() => after.pressed("Undo")).toThrow("no button");
    expect(await scene.aliases()).toEqual([]);
  });

  it("takes only its own forms, of who is signed in", async () => {
    for (const step of ["accept", "dismiss", "undo"]) {
      const body = { ...(step === "accept" && { scope: "all" }) };
      expect((await visitor.post(`${path()}/${step}`, body)).status).toBe(403);
      expect((await visitor.post(`${path()}/${step}`, { ...body, csrf: "x".repeat(43) })).status).toBe(403);
      expect((await createVisitor(edge).post(`${path()}/${step}`, body)).status).toBe(401);
    }
    const foreign = createVisitor(edge, { "sec-fetch-site": "cross-site" });
    foreign.takeCookie(visitor.cookie());
    expect((await foreign.press(await name(), "Accept")).status).toBe(403);
    expect([await statusNow(), await asked()]).toEqual(["offered", 0]);
    expect((await createVisitor(edge).get(path())).title).toBe("Sign in");
  });
});
