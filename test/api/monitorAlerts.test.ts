import { describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { matchTrackers } from "../../services/alerts/matchTrackers.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { WatchScene } from "./watchScene.ts";

const scene = new WatchScene();
const { post, get, createMonitor: create, track } = scene;

const fire = async (entityId: number) => {
  const videoId = await createVideo(scene.edge.context, {});
  const mention = await createMention(scene.edge.context, {
    videoId,
    entityId,
    startSeconds: 12,
    quote: "Watch this.",
    sentimentScore: 0.5,
  });
  await scene.edge.context.pool.transaction((transaction) => matchTrackers(transaction, videoId, new Map()));
  return { videoId, mention };
};

describe("alerts of a monitor", () => {
  it("are listed newest first, with where their deliveries stand", async () => {
    const { id } = await create({ name: "Press" });
    const tracker = await track();
    await post(`/v1/monitors/${id}/trackers`, { trackerIds: [tracker.id] });
    const fired = [await fire(tracker.entityId), await fire(tracker.entityId), await fire(tracker.entityId)];
    const newest = await get(`/v1/monitors/${id}/alerts?n=2`);
    expect(newest.json.data).toHaveLength(2);
    const { data } = (await get(`/v1/monitors/${id}/alerts`)).json;
    expect(data.map(({ media }: { media: { video_id: string } }) => media.video_id)).toEqual(
      fired.map(({ videoId }) => videoId).toReversed(),
    );
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^alr_/),
      kind: "mention",
      status: "pending",
      mention_id: `men_${fired[2]?.mention}`,
      entity_id: `ent_${tracker.entityId}`,
      entity_name: tracker.entityName,
      monitor_id: id,
      monitor_name: "Press",
      tracker_id: tracker.id,
      media: expect.objectContaining({ video_id: fired[2]?.videoId }),
      start_seconds: 12,
      end_seconds: 17,
      quote: "Watch this.",
      sentiment_score: 0.5,
      mention_count: 1,
      rows_billed: 0,
      fired_at: expect.any(String),
      retracted_at: null,
      deliveries: [],
    });
    for (const n of ["0", "101", "x"])
      expect((await get(`/v1/monitors/${id}/alerts?n=${n}`)).json.error.code).toBe("invalid_query");
  });

  it("show the newest delivery of each channel, and every attempt, page by page", async () => {
    const { id } = await create();
    const tracker = await track();
    await post(`/v1/monitors/${id}/trackers`, { trackerIds: [tracker.id] });
    await fire(tracker.entityId);
    const alertId = (await get(`/v1/monitors/${id}/alerts`)).json.data[0].id;
    await scene.edge.context.pool.query(sql.typeAlias("void")`
      insert into alert_delivery (id, account_id, occurrence_id, monitor_id, channel, purpose, event_id, status, attempts, response_status,
        last_attempt_at, next_attempt_at)
      values ('dlv_1', ${scene.caller.accountId}, ${alertId}, ${id}, 'webhook', 'alert', 'evt_1', 'failed', 3, 500, '2026-03-10T12:00:00.123Z', null),
        ('dlv_2', ${scene.caller.accountId}, ${alertId}, ${id}, 'webhook', 'redelivery', 'evt_1', 'pending', 1, 503, '2026-03-10T13:00:00Z', '2026-03-10T13:00:05.5Z'),
        ('dlv_3', ${scene.caller.accountId}, ${alertId}, ${id}, 'email', 'alert', 'evt_1', 'succeeded', 1, null, '2026-03-10T12:00:00Z', null)`);
    await scene.edge.context.pool.query(sql.typeAlias("void")`
      insert into delivery_attempt (delivery_id, monitor_id, channel, number, outcome, at, latency_milliseconds, response_status, response_excerpt, error_kind)
      select 'dlv_1', ${id}, 'webhook', n, 'failed', '2026-03-10T12:00:00Z', 15, 500, 'oops', null from generate_series(1, 3) as n`);
    expect((await get(`/v1/monitors/${id}/alerts`)).json.data[0].deliveries).toEqual([
      {
        channel: "email",
        status: "succeeded",
        attempts: 1,
        response_status: null,
        last_attempt_at: "2026-03-10T12:00:00.000Z",
        next_attempt_at: null,
      },
      {
        channel: "webhook",
        status: "pending",
        attempts: 1,
        response_status: 503,
        last_attempt_at: "2026-03-10T13:00:00.000Z",
        next_attempt_at: "2026-03-10T13:00:05.500Z",
      },
    ]);
    const first = (await get(`/v1/monitors/${id}/deliveries?limit=2`)).json;
    const rest = (await get(`/v1/monitors/${id}/deliveries?limit=2&cursor=${first.next_cursor}`)).json;
    expect([...first.data, ...rest.data].map(({ attempt }: { attempt: number }) => attempt)).toEqual([3, 2, 1]);
    expect(rest.data[0]).toEqual({
      id: expect.any(String),
      delivery_id: "dlv_1",
      alert_id: alertId,
      event_id: "evt_1",
      channel: "webhook",
      purpose: "alert",
      attempt: 1,
      outcome: "failed",
      at: "2026-03-10T12:00:00.000Z",
      latency_ms: 15,
      response_status: 500,
      response_excerpt: "oops",
      error_kind: null,
    });
    const { id: other } = await create();
    expect((await get(`/v1/monitors/${other}/deliveries?cursor=${first.next_cursor}`)).json.error.code).toBe(
      "invalid_query",
    );
  });
});
