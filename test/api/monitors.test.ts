import { describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { hook, now, WatchScene } from "./watchScene.ts";

const scene = new WatchScene();
const { post, patch, get, createMonitor: create, track } = scene;

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
    const reader = await scene.edge.newKey({ scopes: ["read", "trackers:write"] });
    const { id } = await create();
    for (const answer of [
      await post("/v1/monitors", { name: "Watch" }, reader),
      await patch(`/v1/monitors/${id}`, { name: "Mine" }, reader),
      await scene.edge.call("DELETE", `/v1/monitors/${id}`, reader),
      await post(`/v1/monitors/${id}/trackers`, { trackerIds: ["trk_1"] }, reader),
      await scene.edge.call("DELETE", `/v1/monitors/${id}/trackers/trk_1`, reader),
      await scene.edge.call("POST", `/v1/monitors/${id}/webhook-secret/rotate`, reader),
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
    await scene.edge.context.pool.query(sql.typeAlias("void")`
      update monitor set webhook_disabled_at = now(), webhook_disabled_reason = 'failures', webhook_failure_count = 20,
        webhook_failing_since = now() where id = ${id}`);
    const still = (await patch(`/v1/monitors/${id}`, { name: "Renamed", webhookUrl: "https://example.org/" })).json
      .monitor;
    expect(still).toMatchObject({
      webhookDisabledAt: expect.any(String),
      webhookDisabledReason: "failures",
      webhookFailureCount: 20,
    });
    const rotated = await scene.edge.call("POST", `/v1/monitors/${id}/webhook-secret/rotate`, scene.caller);
    expect(rotated.json.monitor).toMatchObject({ webhookDisabledReason: "failures" });
    const enabled = (await patch(`/v1/monitors/${id}`, { notifyWebhook: true })).json.monitor;
    expect(enabled).toMatchObject({ webhookDisabledAt: null, webhookDisabledReason: null, webhookFailureCount: 0 });
    expect(enabled).not.toHaveProperty("webhookSecret");
  });

  it("another account's monitor is not there", async () => {
    const { id } = await create();
    const stranger = await scene.edge.newKey();
    for (const answer of [
      await get(`/v1/monitors/${id}`, stranger),
      await get(`/v1/monitors/${id}/alerts`, stranger),
      await get(`/v1/monitors/${id}/deliveries`, stranger),
      await patch(`/v1/monitors/${id}`, { name: "Mine" }, stranger),
      await post(`/v1/monitors/${id}/trackers`, { trackerIds: ["trk_1"] }, stranger),
      await scene.edge.call("POST", `/v1/monitors/${id}/webhook-secret/rotate`, stranger),
      await scene.edge.call("DELETE", `/v1/monitors/${id}`, stranger),
      await get("/v1/monitors/no-such-monitor"),
    ])
      expect([answer.status, answer.json.error.code]).toEqual([404, "monitor_not_found"]);
  });
});

describe("trackers of a monitor", () => {
  it("are attached all or none, and move from another monitor", async () => {
    const [first, second] = [await create(), await create()];
    const [a, b] = [await track(), await track()];
    const foreign = await track(await scene.edge.newKey());
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
    const detached = await scene.edge.call("DELETE", `/v1/monitors/${id}/trackers/${a.id}`, scene.caller);
    expect(detached.json.monitor.trackerIds).toEqual([b.id]);
    expect((await scene.edge.call("DELETE", `/v1/monitors/${id}/trackers/${a.id}`, scene.caller)).json.error.code).toBe(
      "tracker_not_found",
    );
    const gone = await scene.edge.call("DELETE", `/v1/monitors/${id}`, scene.caller);
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
