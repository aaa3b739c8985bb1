import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createMention, createVideo } from "../builders/evidence.ts";
import { createNamedEntity } from "../builders/monitors.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let caller: NewKey;
let name: string;
let entity: number;
let names = 0;
const now = new Date("2026-03-10T12:00:00Z");
beforeAll(async () => {
  edge = await startEdge({ clock: () => now, settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(() => edge.close());
beforeEach(async () => {
  names += 1;
  name = `Zoë Example ${names}`;
  entity = await createNamedEntity(edge.context, name, { aliases: [`Zed ${names}`] });
  caller = await edge.newKey();
});

const post = (path: string, body: unknown, as: { key: string } = caller) => edge.call("POST", path, { ...as, body });
const get = (path: string, as: { key: string } = caller) => edge.call("GET", path, as);
const body = (more: object = {}) => ({ entityName: name, entityType: "person", ...more });

const at = (day: number, hour = 9) => new Date(Date.UTC(2026, 2, day, hour));

describe("a preview", () => {
  it("tells what would have fired, by day, with a sample and a price, and stores nothing", async () => {
    const video = (publishedAt: Date | null) => createVideo(edge.context, { publishedAt });
    const [today, yesterday] = [await video(at(10)), await video(at(9))];
    const outside = [await video(at(3)), await video(at(10, 13)), await video(null)];
    await createMention(edge.context, { videoId: today, entityId: entity, startSeconds: 50 });
    await createMention(edge.context, { videoId: today, entityId: entity, startSeconds: 20, quote: "the engine" });
    await createMention(edge.context, {
      videoId: yesterday,
      entityId: entity,
      quote: "the engine",
      isAppearance: true,
      role: "guest",
    });
    for (const videoId of outside)
      await createMention(edge.context, { videoId, entityId: entity, quote: "the engine" });
    const { status, json } = await post("/v1/trackers/preview", body());
    expect(status).toBe(200);
    expect(json).toMatchObject({ occurrences: 2, rows: 200 });
    expect(json.byDay).toHaveLength(7);
    expect(json.byDay.slice(-3)).toEqual([
      { date: "2026-03-08", occurrences: 0 },
      { date: "2026-03-09", occurrences: 1 },
      { date: "2026-03-10", occurrences: 1 },
    ]);
    expect(json.sample).toMatchObject([
      { kind: "mention", entity_id: `ent_${entity}`, media: { video_id: today }, start_seconds: 20, mention_count: 2 },
      { kind: "appearance", media: { video_id: yesterday }, mention_count: 1 },
    ]);
    const filtered = await post(
      "/v1/trackers/preview",
      body({ days: 8, filters: { query: "engine", kinds: ["mention"] } }),
    );
    expect(filtered.json).toMatchObject({
      occurrences: 2,
      sample: [{ mention_count: 1 }, { media: { video_id: outside[0] } }],
    });
    expect((await get("/v1/trackers")).json.data).toEqual([]);
    expect((await get("/v1/me")).json.usage.rows_used).toBe(0);
  });

  it("refuses what creation refuses, and days out of range", async () => {
    expect((await post("/v1/trackers/preview", body({ entityName: "nobody at all" }))).status).toBe(404);
    for (const more of [{ days: 0 }, { days: 31 }, { filters: { query: "(" } }])
      expect((await post("/v1/trackers/preview", body(more))).status).toBe(400);
  });
});
