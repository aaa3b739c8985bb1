import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { lockOutbox, outboxKinds } from "../../database/outbox.ts";
import { count, sql } from "../../database/pool.ts";
import type { AlertStatus } from "../../domain/alerts.ts";
import { matchTrackers } from "../../services/alerts/matchTrackers.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { createNamedEntity } from "../builders/monitors.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let caller: NewKey;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(() => edge.close());
beforeEach(async () => {
  caller = await edge.newKey();
  await edge.context.pool.query(sql.typeAlias("void")`delete from outbox`);
});

const post = (path: string, body?: unknown, headers?: Record<string, string>, key = caller.key) =>
  edge.call("POST", path, { key, body, ...(headers !== undefined && { headers }) });
const hook = { notifyWebhook: true, webhookUrl: "https://hooks.example.com/in" };
const create = async (more: object = hook, key = caller.key): Promise<string> => {
  const { json } = await post("/v1/monitors", { name: "Watch", ...more }, undefined, key);
  return json.monitor.id;
};
let names = 0;
/** A monitor's alerts, each on a video of its own, as their deliveries have left them. */
const fire = async (
  monitorId: string,
  times: number,
  more: { status?: AlertStatus; isPaid?: false; tracker?: object } = {},
) => {
  names += 1;
  const entityName = `Watched ${names}`;
  const entityId = await createNamedEntity(edge.context, entityName);
  const { json } = await post("/v1/trackers", { entityName, entityType: "person" });
  await post(`/v1/monitors/${monitorId}/trackers`, { trackerIds: [json.tracker.id] });
  if (more.tracker !== undefined)
    await edge.call("PATCH", `/v1/trackers/${json.tracker.id}`, { key: caller.key, body: more.tracker });
  for (let time = 0; time < times; time += 1) {
    const videoId = await createVideo(edge.context, {});
    await createMention(edge.context, { videoId, entityId });
    await edge.context.pool.transaction((transaction) => matchTrackers(transaction, videoId, new Map()));
  }
  const ids = await edge.context.pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    update alert_occurrence set status = ${more.status ?? "delivered"}, begun_at = ${more.isPaid === false ? null : "now"}
    where tracker_id = ${json.tracker.id} returning id`);
  return { trackerId: String(json.tracker.id), alertIds: ids.toSorted() };
};

const deliveryRow = z.object({
  id: z.string(),
  occurrence_id: z.string().nullable(),
  monitor_id: z.string(),
  channel: z.string(),
  purpose: z.string(),
  event_id: z.string(),
  status: z.string(),
  attempts: z.number(),
  priority: z.number().nullable(),
});
/** What was asked for, with the message that starts it. */
const asked = (monitorId: string) =>
  edge.context.pool.any(sql.type(deliveryRow)`
    select delivery.id, occurrence_id, monitor_id, channel, purpose, event_id, status, delivery.attempts, priority
    from alert_delivery as delivery left join outbox on outbox.subject = delivery.id and outbox.kind = 'delivery.start'
    where monitor_id = ${monitorId} order by delivery.id`);
const rowsUsed = async () => (await edge.call("GET", "/v1/me", { key: caller.key })).json.usage.rows_used;
const always = { from: "2020-01-01T00:00:00Z", to: "2020-01-31T00:00:00Z" };
/** A span around now. */
const today = () => ({ from: fromNow(-3_600_000), to: fromNow(3_600_000) });
const fromNow = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

describe("a test of a webhook", () => {
  it("is on its way with an event of its own, and costs nothing", async () => {
    const monitorId = await create();
    const { status, json } = await post(`/v1/monitors/${monitorId}/webhook/test`);
    expect([status, json]).toEqual([
      202,
      {
        delivery: {
          id: expect.stringMatching(/^dlv_/),
          event_id: expect.stringMatching(/^evt_/),
          channel: "webhook",
          purpose: "test",
          status: "pending",
          created_at: expect.any(String),
        },
      },
    ]);
    expect(await asked(monitorId)).toEqual([
      {
        id: json.delivery.id,
        occurrence_id: null,
        monitor_id: monitorId,
        channel: "webhook",
        purpose: "test",
        event_id: json.delivery.event_id,
        status: "pending",
        attempts: 0,
        priority: 0,
      },
    ]);
    expect(await rowsUsed()).toBe(0);
  });

  it("is not doubled by a repeat with the same Idempotency-Key", async () => {
    const monitorId = await create();
    const send = () => post(`/v1/monitors/${monitorId}/webhook/test`, {}, { "idempotency-key": "once" });
    const [first, second] = [await send(), await send()];
    expect([second.text, second.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
    expect(await asked(monitorId)).toHaveLength(1);
  });

  it("is possible while the webhook is off or disabled, but not without a URL and a secret", async () => {
    const monitorId = await create();
    await edge.call("PATCH", `/v1/monitors/${monitorId}`, { key: caller.key, body: { notifyWebhook: false } });
    await disable(monitorId);
    expect((await post(`/v1/monitors/${monitorId}/webhook/test`)).status).toBe(202);
    for (const more of [{}, { webhookUrl: hook.webhookUrl }]) {
      const answer = await post(`/v1/monitors/${await create(more)}/webhook/test`);
      expect([answer.status, answer.json.error.code]).toEqual([409, "webhook_not_configured"]);
    }
  });
});

describe("a redelivery of one alert", () => {
  it("is on its way under the alert's own event id, and costs nothing", async () => {
    const monitorId = await create();
    const { alertIds } = await fire(monitorId, 1);
    const { status, json } = await post(`/v1/monitors/${monitorId}/alerts/${alertIds[0]}/redeliver`);
    expect(status).toBe(202);
    expect(json.delivery).toMatchObject({ alert_id: alertIds[0], purpose: "redelivery", channel: "webhook" });
    const eventId = await edge.context.pool.oneFirst(sql.type(z.object({ event_id: z.string() }))`
      select event_id from alert_occurrence where id = ${alertIds[0] ?? ""}`);
    expect(await asked(monitorId)).toMatchObject([
      { id: json.delivery.id, occurrence_id: alertIds[0], event_id: eventId, purpose: "redelivery", priority: 0 },
    ]);
    expect(json.delivery.event_id).toBe(eventId);
    expect(await rowsUsed()).toBe(0);
  });

  it("is refused for an alert that was not paid for", async () => {
    const monitorId = await create();
    for (const status of ["suppressed", "pending"] as const) {
      const { alertIds } = await fire(monitorId, 1, { status, isPaid: false });
      const answer = await post(`/v1/monitors/${monitorId}/alerts/${alertIds[0]}/redeliver`);
      expect([answer.status, answer.json.error.code]).toEqual([409, "illegal_transition"]);
    }
    expect(await asked(monitorId)).toEqual([]);
  });

  it("follows what the alert's tracker says of its own about the webhook", async () => {
    const monitorId = await create();
    const off = await fire(monitorId, 1, { tracker: { notifyWebhook: false } });
    const refused = await post(`/v1/monitors/${monitorId}/alerts/${off.alertIds[0]}/redeliver`);
    expect([refused.status, refused.json.error.code]).toEqual([409, "webhook_not_configured"]);
    await edge.call("PATCH", `/v1/monitors/${monitorId}`, { key: caller.key, body: { notifyWebhook: false } });
    const on = await fire(monitorId, 1, { tracker: { notifyWebhook: true } });
    expect((await post(`/v1/monitors/${monitorId}/alerts/${on.alertIds[0]}/redeliver`)).status).toBe(202);
  });
});

describe("a redelivery of a span", () => {
  it("takes every alert of the monitor that fired in it, oldest first, both ends included", async () => {
    const monitorId = await create();
    const { alertIds } = await fire(monitorId, 4);
    const times = alertIds.map((_, index) => new Date(Date.UTC(2026, 0, 1 + index)));
    for (const [index, id] of alertIds.entries())
      await edge.context.pool.query(sql.typeAlias("void")`
        update alert_occurrence set fired_at = ${times[index]?.toISOString() ?? ""} where id = ${id}`);
    const body = { from: "2026-01-02T00:00:00Z", to: "2026-01-03T01:00:00+01:00" };
    const { status, json } = await post(`/v1/monitors/${monitorId}/redeliver`, body);
    expect([status, json]).toEqual([
      202,
      {
        delivery: {
          channel: "webhook",
          purpose: "redelivery",
          status: "pending",
          count: 2,
          from: "2026-01-02T00:00:00.000Z",
          to: "2026-01-03T00:00:00.000Z",
        },
      },
    ]);
    expect((await asked(monitorId)).map((each) => each.occurrence_id)).toEqual(alertIds.slice(1, 3));
    expect(await rowsUsed()).toBe(0);
  });

  it("leaves out what was never paid for, what is off, other monitors' and what is on its way again untried", async () => {
    const monitorId = await create();
    const { alertIds } = await fire(monitorId, 1);
    alertIds.push(...(await fire(monitorId, 1, { status: "pending" })).alertIds);
    await fire(monitorId, 1, { status: "suppressed", isPaid: false });
    await fire(monitorId, 1, { status: "pending", isPaid: false });
    await fire(monitorId, 1, { tracker: { notifyWebhook: false } });
    await fire(await create(), 1);
    const again = async () => (await post(`/v1/monitors/${monitorId}/redeliver`, today())).json.delivery.count;
    expect(await again()).toBe(2);
    expect((await asked(monitorId)).map((each) => each.occurrence_id)).toEqual(alertIds);
    expect(await again()).toBe(0);
    await edge.context.pool.query(sql.typeAlias("void")`
      update alert_delivery set attempts = 1 where occurrence_id = ${alertIds[0] ?? ""}`);
    expect(await again()).toBe(1);
  });

  it("takes what goes to a tracker's own address while the monitor's is disabled", async () => {
    const monitorId = await create();
    await fire(monitorId, 1);
    const own = await fire(monitorId, 1, { tracker: { webhookUrl: "https://other.example.com/in" } });
    await disable(monitorId);
    expect((await post(`/v1/monitors/${monitorId}/redeliver`, today())).json.delivery.count).toBe(1);
    expect((await asked(monitorId)).map((each) => each.occurrence_id)).toEqual(own.alertIds);
  });

  it("of thousands is taken whole, in batches, and never goes out before an alert that fires after it", async () => {
    const monitorId = await create();
    const { alertIds } = await fire(monitorId, 1);
    await edge.context.pool.query(sql.typeAlias("void")`
      insert into alert_occurrence (id, account_id, tracker_id, tracker_name, monitor_id, monitor_name, video_id, entity_id, entity_name,
        entity_type, event_id, kind, mention_id, mention_count, start_seconds, end_seconds, quote, confidence, status, begun_at)
      select 'alr_many_' || lpad(n::text, 5, '0'), account_id, tracker_id || n, tracker_name, monitor_id, monitor_name, video_id, entity_id, entity_name,
        entity_type, 'evt_' || n, kind, mention_id, mention_count, start_seconds, end_seconds, quote, confidence, status, begun_at
      from alert_occurrence, generate_series(1, 2500) as n where id = ${alertIds[0] ?? ""}`);
    await edge.context.pool.query(sql.typeAlias("void")`delete from outbox`);
    expect((await post(`/v1/monitors/${monitorId}/redeliver`, today())).json.delivery.count).toBe(2501);
    const distinct = await edge.context.pool.oneFirst(sql.type(z.object({ count }))`
      select count(distinct occurrence_id) from alert_delivery where monitor_id = ${monitorId}`);
    expect(distinct).toBe(2501);
    const later = await fire(monitorId, 1);
    await post(`/v1/monitors/${monitorId}/webhook/test`);
    const turns = await edge.context.pool.transaction((transaction) => lockOutbox(transaction, outboxKinds, 4));
    expect(turns.map(({ kind, priority }) => `${kind} ${priority}`)).toEqual([
      "alert.start 0",
      "delivery.start 0",
      "delivery.start 1",
      "delivery.start 1",
    ]);
    expect(turns[0]?.subject).toBe(later.alertIds[0]);
  });

  it.each([
    ["an end before its beginning", { from: always.to, to: always.from }, "`from`"],
    ["more than a month", { from: "2020-01-01T00:00:00Z", to: "2020-02-01T00:00:00.001Z" }, "31 days"],
    ["a year that nothing fires in", { from: "0000-01-01T00:00:00Z", to: "0000-01-02T00:00:00Z" }, "`from`"],
    ["a date without a time", { ...always, from: "2020-01-01" }, "`from`"],
    ["a day that does not exist", { ...always, to: "2020-01-32T00:00:00Z" }, "`to`"],
    ["no end", { from: always.from }, "`to`"],
    ["another field", { ...always, channel: "email" }, "`channel`"],
  ])("with %s is refused", async (_what, body, named) => {
    const answer = await post(`/v1/monitors/${await create()}/redeliver`, body);
    expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_body"]);
    expect(answer.json.error.message).toContain(named);
  });

  it("is refused where no webhook is on, and where it was disabled", async () => {
    const quiet = await create({});
    expect((await post(`/v1/monitors/${quiet}/redeliver`, always)).json.error.code).toBe("webhook_not_configured");
    const monitorId = await create();
    expect((await post(`/v1/monitors/${monitorId}/redeliver`, always)).json.delivery.count).toBe(0);
    await disable(monitorId);
    const { status, json } = await post(`/v1/monitors/${monitorId}/redeliver`, always);
    expect([status, json.error.code]).toEqual([409, "webhook_not_configured"]);
    expect(json.error.message).toContain("disabled after failures");
  });
});

const paths = (monitorId: string, alertId: string) =>
  [
    [`/v1/monitors/${monitorId}/webhook/test`, undefined],
    [`/v1/monitors/${monitorId}/alerts/${alertId}/redeliver`, undefined],
    [`/v1/monitors/${monitorId}/redeliver`, always],
  ] as const;

describe("all three", () => {
  it("know no monitor and no alert of others", async () => {
    const monitorId = await create();
    const { alertIds } = await fire(monitorId, 1);
    const stranger = await edge.newKey();
    for (const [path, body] of paths(monitorId, alertIds[0] ?? "")) {
      const answer = await post(path, body, undefined, stranger.key);
      expect([answer.status, answer.json.error.code]).toEqual([404, "monitor_not_found"]);
    }
    const ours = await create(hook, stranger.key);
    for (const alertId of [alertIds[0], "alr_0"]) {
      const { json } = await post(
        `/v1/monitors/${ours}/alerts/${alertId}/redeliver`,
        undefined,
        undefined,
        stranger.key,
      );
      expect(json.error.code).toBe("alert_not_found");
    }
    expect(await asked(monitorId)).toEqual([]);
  });

  it("need the scope monitors:write, and a plan with webhooks before it", async () => {
    const monitorId = await create();
    const reader = await edge.newKey({ scopes: ["read"] });
    const free = await edge.newKey({ tier: "free" });
    for (const [path, body] of paths(monitorId, "alr_0")) {
      expect((await post(path, body, undefined, reader.key)).json.error.code).toBe("insufficient_scope");
      expect(await post(path, body, undefined, free.key)).toMatchObject({
        status: 403,
        json: { error: "upgrade_required", upgradeRequired: true, feature: "webhook" },
      });
    }
  });
});

async function disable(monitorId: string): Promise<void> {
  await edge.context.pool.query(sql.typeAlias("void")`
    update monitor set webhook_disabled_at = now(), webhook_disabled_reason = 'failures' where id = ${monitorId}`);
}
