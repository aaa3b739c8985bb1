import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { matchTrackers } from "../../services/alerts/matchTrackers.ts";
import { connectChat } from "../../services/chat/connect.ts";
import { disconnectChat } from "../../services/chat/disconnect.ts";
import { openChatIntegration } from "../../services/chat/open.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { createNamedEntity } from "../builders/monitors.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let caller: NewKey;
let names = 0;
const now = new Date("2026-03-10T12:00:00Z");
beforeAll(async () => {
  edge = await startEdge({ clock: () => now, settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(() => edge.close());
beforeEach(async () => {
  caller = await edge.newKey();
});

const post = (path: string, body: unknown, as: { key: string } = caller) => edge.call("POST", path, { ...as, body });
const patch = (path: string, body: unknown, as: { key: string } = caller) => edge.call("PATCH", path, { ...as, body });
const get = (path: string, as: { key: string } = caller) => edge.call("GET", path, as);
const create = async (more: object = {}, as: { key: string } = caller) => {
  const answer = await post("/v1/monitors", { name: "Watch", ...more }, as);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json.monitor;
};
const track = async (as: { key: string } = caller) => {
  names += 1;
  const entityName = `Watched ${names}`;
  const entityId = await createNamedEntity(edge.context, entityName);
  const { json } = await post("/v1/trackers", { entityName, entityType: "person" }, as);
  return { id: json.tracker.id as string, entityId, entityName };
};
const hook = { notifyWebhook: true, webhookUrl: "https://example.com/hook" };

describe("creating a monitor", () => {
  it("answers 201 with the monitor and all its fields", async () => {
    const { status, json } = await post("/v1/monitors", { name: "Competitors", emailAddresses: ["press@example.com"] });
    expect(status).toBe(201);
    expect(json.monitor).toEqual({
      id: expect.stringMatching(/^mon_/),
      name: "Competitors",
      isPaused: false,
      pausedAt: null,
      notifyEmail: true,
      emailAddresses: ["press@example.com"],
      notifyChat: false,
      chatIntegrationId: null,
      chatChannelId: null,
      notifyWebhook: false,
      webhookUrl: null,
      webhookSecretSet: false,
      webhookSecretHint: null,
      webhookDisabledAt: null,
      webhookDisabledReason: null,
      webhookFailureCount: 0,
      previousSecretExpiresAt: null,
      trackerIds: [],
      lastNotifiedAt: null,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    });
    expect((await get(`/v1/monitors/${json.monitor.id}`)).json).toEqual(json);
  });

  it.each<[string, object, RegExp]>([
    ["no name", { name: undefined }, /name/],
    ["an empty name", { name: "" }, /name/],
    ["an unknown field", { colour: "red" }, /colour/],
    ["a webhook without a URL", { notifyWebhook: true }, /webhookUrl/],
    ["a URL that is none", { webhookUrl: "example.com" }, /webhookUrl/],
    ["a private address", { ...hook, webhookUrl: "http://2130706433/" }, /webhookUrl/],
    ["chat without an integration", { notifyChat: true }, /chatIntegrationId/],
    ["an address that is none", { emailAddresses: ["press"] }, /emailAddresses/],
  ])("refuses %s", async (_, more, named) => {
    const { status, json } = await post("/v1/monitors", { name: "Watch", ...more });
    expect([status, json.error.code]).toEqual([400, "invalid_body"]);
    expect(json.error.message).toMatch(named);
    expect((await get("/v1/monitors")).json.data).toEqual([]);
  });

  it("needs the scope, and costs no rows", async () => {
    const reader = await edge.newKey({ scopes: ["read", "trackers:write"] });
    const { id } = await create();
    for (const answer of [
      await post("/v1/monitors", { name: "Watch" }, reader),
      await patch(`/v1/monitors/${id}`, { name: "Mine" }, reader),
      await edge.call("DELETE", `/v1/monitors/${id}`, reader),
      await post(`/v1/monitors/${id}/trackers`, { trackerIds: ["trk_1"] }, reader),
      await edge.call("DELETE", `/v1/monitors/${id}/trackers/trk_1`, reader),
      await edge.call("POST", `/v1/monitors/${id}/webhook-secret/rotate`, reader),
    ]) {
      expect([answer.status, answer.json.error.code]).toEqual([403, "insufficient_scope"]);
      expect(answer.json.error.message).toContain("monitors:write");
    }
    expect((await get("/v1/me")).json.usage.rows_used).toBe(0);
  });
});

describe("changing a monitor", () => {
  it("writes what is set, unsets what is null, leaves the rest, and repeats change nothing", async () => {
    const { id } = await create({ ...hook, emailAddresses: ["a@example.com"] });
    const changed = (await patch(`/v1/monitors/${id}`, { name: "New", isPaused: true })).json.monitor;
    expect(changed).toMatchObject({
      name: "New",
      isPaused: true,
      pausedAt: now.toISOString(),
      ...hook,
      emailAddresses: ["a@example.com"],
    });
    expect((await patch(`/v1/monitors/${id}`, { isPaused: true })).json.monitor).toEqual(changed);
    const off = (await patch(`/v1/monitors/${id}`, { isPaused: false, notifyWebhook: false, webhookUrl: null })).json
      .monitor;
    expect(off).toMatchObject({
      isPaused: false,
      pausedAt: null,
      notifyWebhook: false,
      webhookUrl: null,
      webhookSecretSet: true,
    });
    expect((await patch(`/v1/monitors/${id}`, { notifyWebhook: true })).json.error.message).toContain("webhookUrl");
    expect((await patch(`/v1/monitors/${id}`, { webhookUrl: "http://10.1.1.1/" })).status).toBe(400);
  });

  it("turns a disabled webhook on again where it is said in so many words, and clears its failures", async () => {
    const { id } = await create(hook);
    await edge.context.pool.query(sql.typeAlias("void")`
      update monitor set webhook_disabled_at = now(), webhook_disabled_reason = 'failures', webhook_failure_count = 20,
        webhook_failing_since = now() where id = ${id}`);
    const still = (await patch(`/v1/monitors/${id}`, { name: "Renamed", webhookUrl: "https://example.org/" })).json
      .monitor;
    expect(still).toMatchObject({
      webhookDisabledAt: expect.any(String),
      webhookDisabledReason: "failures",
      webhookFailureCount: 20,
    });
    const rotated = await edge.call("POST", `/v1/monitors/${id}/webhook-secret/rotate`, caller);
    expect(rotated.json.monitor).toMatchObject({ webhookDisabledReason: "failures" });
    const enabled = (await patch(`/v1/monitors/${id}`, { notifyWebhook: true })).json.monitor;
    expect(enabled).toMatchObject({ webhookDisabledAt: null, webhookDisabledReason: null, webhookFailureCount: 0 });
    expect(enabled).not.toHaveProperty("webhookSecret");
  });

  it("another account's monitor is not there", async () => {
    const { id } = await create();
    const stranger = await edge.newKey();
    for (const answer of [
      await get(`/v1/monitors/${id}`, stranger),
      await get(`/v1/monitors/${id}/alerts`, stranger),
      await get(`/v1/monitors/${id}/deliveries`, stranger),
      await patch(`/v1/monitors/${id}`, { name: "Mine" }, stranger),
      await post(`/v1/monitors/${id}/trackers`, { trackerIds: ["trk_1"] }, stranger),
      await edge.call("POST", `/v1/monitors/${id}/webhook-secret/rotate`, stranger),
      await edge.call("DELETE", `/v1/monitors/${id}`, stranger),
      await get("/v1/monitors/no-such-monitor"),
    ])
      expect([answer.status, answer.json.error.code]).toEqual([404, "monitor_not_found"]);
  });
});

describe("trackers of a monitor", () => {
  it("are attached all or none, and move from another monitor", async () => {
    const [first, second] = [await create(), await create()];
    const [a, b] = [await track(), await track()];
    const foreign = await track(await edge.newKey());
    const refused = await post(`/v1/monitors/${first.id}/trackers`, { trackerIds: [a.id, foreign.id, b.id] });
    expect([refused.status, refused.json.error.code]).toEqual([404, "tracker_not_found"]);
    expect(refused.json.error.message).toContain(foreign.id);
    expect((await get(`/v1/monitors/${first.id}`)).json.monitor.trackerIds).toEqual([]);
    const attached = await post(`/v1/monitors/${first.id}/trackers`, { trackerIds: [b.id, a.id, a.id] });
    expect(attached.json.monitor.trackerIds).toEqual([a.id, b.id].toSorted());
    expect((await get(`/v1/trackers/${a.id}`)).json.tracker.monitorId).toBe(first.id);
    await post(`/v1/monitors/${second.id}/trackers`, { trackerIds: [a.id] });
    expect((await get(`/v1/monitors/${first.id}`)).json.monitor.trackerIds).toEqual([b.id]);
    for (const body of [{}, { trackerIds: [] }, { trackerIds: a.id }])
      expect((await post(`/v1/monitors/${first.id}/trackers`, body)).status).toBe(400);
  });

  it("stay without a monitor when it is deleted, or when they are taken from it", async () => {
    const { id } = await create();
    const [a, b] = [await track(), await track()];
    await post(`/v1/monitors/${id}/trackers`, { trackerIds: [a.id, b.id] });
    const detached = await edge.call("DELETE", `/v1/monitors/${id}/trackers/${a.id}`, caller);
    expect(detached.json.monitor.trackerIds).toEqual([b.id]);
    expect((await edge.call("DELETE", `/v1/monitors/${id}/trackers/${a.id}`, caller)).json.error.code).toBe(
      "tracker_not_found",
    );
    const gone = await edge.call("DELETE", `/v1/monitors/${id}`, caller);
    expect([gone.status, gone.json]).toEqual([200, { id, deleted: true }]);
    for (const tracker of [a, b]) expect((await get(`/v1/trackers/${tracker.id}`)).json.tracker.monitorId).toBeNull();
  });

  it("are listed with their monitors, page by page", async () => {
    const ids = [(await create()).id, (await create()).id, (await create()).id].toReversed();
    const first = (await get("/v1/monitors?limit=2")).json;
    const rest = (await get(`/v1/monitors?limit=2&cursor=${first.next_cursor}`)).json;
    expect([...first.data, ...rest.data].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(rest).toMatchObject({ has_more: false, next_cursor: null });
  });
});

describe("alerts of a monitor", () => {
  const fire = async (entityId: number) => {
    const videoId = await createVideo(edge.context, {});
    const mention = await createMention(edge.context, {
      videoId,
      entityId,
      startSeconds: 12,
      quote: "Watch this.",
      sentimentScore: 0.5,
    });
    await edge.context.pool.transaction((transaction) => matchTrackers(transaction, videoId, new Map()));
    return { videoId, mention };
  };

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
    await edge.context.pool.query(sql.typeAlias("void")`
      insert into alert_delivery (id, account_id, occurrence_id, monitor_id, channel, purpose, event_id, status, attempts, response_status,
        last_attempt_at, next_attempt_at)
      values ('dlv_1', ${caller.accountId}, ${alertId}, ${id}, 'webhook', 'alert', 'evt_1', 'failed', 3, 500, '2026-03-10T12:00:00.123Z', null),
        ('dlv_2', ${caller.accountId}, ${alertId}, ${id}, 'webhook', 'redelivery', 'evt_1', 'pending', 1, 503, '2026-03-10T13:00:00Z', '2026-03-10T13:00:05.5Z'),
        ('dlv_3', ${caller.accountId}, ${alertId}, ${id}, 'email', 'alert', 'evt_1', 'succeeded', 1, null, '2026-03-10T12:00:00Z', null)`);
    await edge.context.pool.query(sql.typeAlias("void")`
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

describe("chat integrations", () => {
  it("are connected by the operator, listed without their secret, used by a monitor, and erased", async () => {
    const secret = "https://hooks.example.com/services/T0/B0/very-secret";
    const connected = await edge.call("POST", `/internal/accounts/${caller.accountId}/chat-integrations`, {
      key: edge.internalKey,
      body: { kind: "slack-webhook", name: "Newsroom", secret },
    });
    expect(connected.status).toBe(201);
    const integration = connected.json.chat_integration;
    expect(connected.text).not.toContain("very-secret");
    expect((await get("/v1/chat-integrations")).json.data).toEqual([
      { id: integration.id, kind: "slack-webhook", name: "Newsroom", createdAt: expect.any(String) },
    ]);
    expect((await get("/v1/chat-integrations", await edge.newKey())).json.data).toEqual([]);
    const stored = await edge.context.pool.oneFirst(sql.type(z.object({ sealed_secret: z.instanceof(Buffer) }))`
      select sealed_secret from chat_integration where id = ${integration.id}`);
    expect(stored.toString("latin1")).not.toContain("very-secret");
    expect(await openChatIntegration(edge.context, caller.accountId, integration.id)).toEqual({
      kind: "slack-webhook",
      secret,
    });
    const { id } = await create({ notifyChat: true, chatIntegrationId: integration.id });
    const gone = await edge.call("DELETE", `/internal/chat-integrations/${integration.id}`, { key: edge.internalKey });
    expect(gone.json).toEqual({ id: integration.id, deleted: true });
    expect((await patch(`/v1/monitors/${id}`, { name: "Still changeable" })).json.monitor).toMatchObject({
      chatIntegrationId: null,
    });
    expect(await openChatIntegration(edge.context, caller.accountId, integration.id)).toBeNull();
    await expect(disconnectChat(edge.context, integration.id)).rejects.toMatchObject({
      code: "chat_integration_not_found",
    });
  });

  it("refuses a private address, a token with spaces, and an account that is not there", async () => {
    const { accountId } = caller;
    const input = { accountId, kind: "slack-webhook" as const, name: "Newsroom", secret: "http://127.0.0.1/" };
    await expect(connectChat(edge.context, input)).rejects.toMatchObject({ code: "invalid_body" });
    await expect(connectChat(edge.context, { ...input, kind: "slack-bot", secret: "a b" })).rejects.toMatchObject({
      code: "invalid_body",
    });
    await expect(connectChat(edge.context, { ...input, accountId: "usr_0" })).rejects.toMatchObject({
      code: "account_not_found",
    });
  });
});
