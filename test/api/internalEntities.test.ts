import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createEntity } from "../builders/context.ts";
import { createMention, createRecommendation, createVideo } from "../builders/evidence.ts";
import { type Edge, startEdge } from "./edge.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.close());

function operate(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  return edge.call(method, `/internal/entities${path}`, { key: edge.internalKey, body, headers });
}

describe("an entity", () => {
  it("is added, read and changed as by a line of an import", async () => {
    const row = {
      numeric_id: 700,
      name: "Ada Lovelace",
      type: "person",
      aliases: ["Countess", "Augusta"],
      url: "https://ada.example",
    };
    const added = await operate("POST", "", row);
    expect(added.status).toBe(201);
    expect(added.json.entity).toMatchObject({
      id: "ent_700",
      name: "Ada Lovelace",
      slug: "ada-lovelace",
      aliases: ["Augusta", "Countess"],
      platform_id: null,
      known_advertiser: false,
    });
    expect((await operate("GET", "/ent_700")).json).toEqual(added.json);

    const changed = await operate("POST", "", {
      numeric_id: 700,
      name: "Ada Lovelace",
      type: "person",
      known_advertiser: true,
    });
    expect([changed.status, changed.json.entity]).toEqual([200, { ...added.json.entity, known_advertiser: true }]);
    expect((await operate("POST", "", { name: "Ada  lovelace!", type: "person" })).json.entity.id).toBe("ent_700");
  });

  it("is made once for one Idempotency-Key", async () => {
    const call = ["POST", "", { name: "Once", type: "topic" }, { "idempotency-key": "once" }] as const;
    const [first, second] = [await operate(...call), await operate(...call)];
    expect([second.status, second.text, second.headers.get("idempotency-replayed")]).toEqual([201, first.text, "true"]);
  });

  it("is refused with what does not fit", async () => {
    await operate("POST", "", { name: "Held", type: "topic", slug: "held" });
    for (const [body, why] of [
      [{ name: "Other", type: "topic", slug: "held", numeric_id: 801 }, /slug: is that of ent_\d+/],
      [{ name: "Owned", type: "topic", owner: "ent_9999" }, /owner: no entity is ent_9999/],
      [{ name: "Typed", type: "robot" }, /type/],
      [{ name: "More", type: "topic", more: 1 }, /more/],
      [{ type: "topic" }, /name/],
    ] as const) {
      const refused = await operate("POST", "", body);
      expect([refused.status, refused.json.error.code, refused.json.error.message]).toEqual([
        400,
        "invalid_body",
        expect.stringMatching(why),
      ]);
    }
    expect((await operate("GET", "/ent_9999")).json.error.code).toBe("entity_not_found");
  });
});

describe("a merge", () => {
  it("says which entity stays and how much evidence is now read as its own", async () => {
    const [from, into] = [await createEntity(edge.context), await createEntity(edge.context)];
    const videoId = await createVideo(edge.context);
    await createMention(edge.context, { videoId, entityId: from, startSeconds: 1 });
    await createMention(edge.context, { videoId, entityId: from, startSeconds: 2 });
    await createRecommendation(edge.context, { videoId, entityId: from });
    const merged = await operate("POST", `/ent_${from}/merge`, { into: `ent_${into}` });
    expect([merged.status, merged.json]).toEqual([200, { canonical_id: `ent_${into}`, moved: 3 }]);
    expect((await operate("GET", `/${from}`)).json.entity).toMatchObject({
      id: `ent_${into}`,
      merged_from_id: `ent_${from}`,
    });
  });

  it("that would close a circle, or names what is not there, is refused", async () => {
    const [a, b] = [await createEntity(edge.context), await createEntity(edge.context)];
    await operate("POST", `/${a}/merge`, { into: String(b) });
    for (const [path, into, status, code] of [
      [`/${b}/merge`, `ent_${a}`, 409, "illegal_transition"],
      [`/${a}/merge`, `ent_${a}`, 409, "illegal_transition"],
      [`/${a}/merge`, "ent_999999", 404, "entity_not_found"],
      [`/${a}/merge`, "ada", 400, "invalid_body"],
    ] as const) {
      const refused = await operate("POST", path, { into });
      expect([refused.status, refused.json.error.code]).toEqual([status, code]);
    }
  });
});
