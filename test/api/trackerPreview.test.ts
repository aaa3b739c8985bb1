import { describe, expect, it } from "@jest/globals";
import { createMention, createVideo } from "../builders/evidence.ts";
import { WatchScene } from "./watchScene.ts";

const scene = new WatchScene();
const { post, get, tracked: body } = scene;

const at = (day: number, hour = 9) => new Date(Date.UTC(2026, 2, day, hour));

describe("a preview", () => {
  it("tells what would have fired, by day, with a sample and a price, and stores nothing", async () => {
    const video = (publishedAt: Date | null) => createVideo(scene.edge.context, { publishedAt });
    const [today, yesterday] = [await video(at(10)), await video(at(9))];
    const outside = [await video(at(3)), await video(at(10, 13)), await video(null)];
    await createMention(scene.edge.context, { videoId: today, entityId: scene.entityId, startSeconds: 50 });
    await createMention(scene.edge.context, {
      videoId: today,
      entityId: scene.entityId,
      startSeconds: 20,
      quote: "the engine",
    });
    await createMention(scene.edge.context, {
      videoId: yesterday,
      entityId: scene.entityId,
      quote: "the engine",
      isAppearance: true,
      role: "guest",
    });
    for (const videoId of outside)
      await createMention(scene.edge.context, { videoId, entityId: scene.entityId, quote: "the engine" });
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
      {
        kind: "mention",
        entity_id: `ent_${scene.entityId}`,
        media: { video_id: today },
        start_seconds: 20,
        mention_count: 2,
      },
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
