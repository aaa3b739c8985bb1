import { describe, expect, it } from "@jest/globals";
import { updateAccount } from "../../services/accounts/updateAccount.ts";
import { connectChat } from "../../services/chat/connect.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { createNamedEntity } from "../builders/monitors.ts";
import { hook, now, WatchScene } from "./watchScene.ts";

const scene = new WatchScene();
const { post, patch, get, createMonitor: monitor, createTracker: create, tracked: body } = scene;

describe("creating a tracker", () => {
  it("answers 201 with the tracker and a message, with all fields of the specification", async () => {
    const { status, json } = await post(
      "/v1/trackers",
      body({ displayName: "Zoë watch", filters: { query: "a b", mine: [1] } }),
    );
    expect(status).toBe(201);
    expect(json).toEqual({
      tracker: {
        id: expect.stringMatching(/^trk_/),
        entityId: `ent_${scene.entityId}`,
        entityName: scene.name,
        entityType: "person",
        displayName: "Zoë watch",
        notifyEmail: true,
        notifyWebhook: false,
        notifyChat: false,
        webhookUrl: null,
        chatChannelId: null,
        chatIntegrationId: null,
        overrides: [],
        filters: { query: "a b", mine: [1] },
        isPaused: false,
        pausedAt: null,
        lastNotifiedAt: null,
        createdAt: now.toISOString(),
        updatedAt: now.toISOString(),
        emailDeliveryCount: 0,
        webhookDeliveryCount: 0,
        chatDeliveryCount: 0,
        monitorId: null,
      },
      message: expect.stringContaining(scene.name),
    });
    expect((await get(`/v1/trackers/${json.tracker.id}`)).json).toEqual({ tracker: json.tracker });
  });

  it("finds the entity whatever the case, the accents, or by alias", async () => {
    expect(await create({ entityName: `zoe EXAMPLE ${scene.number}` })).toMatchObject({
      entityName: scene.name,
      displayName: scene.name,
    });
    expect(await create({ entityName: `zed ${scene.number}` }, await scene.edge.newKey())).toMatchObject({
      entityName: scene.name,
    });
  });

  it("for a name that is not known answers 404 with the nearest candidates, and stores nothing", async () => {
    const { status, json } = await post("/v1/trackers", body({ entityName: `Zoe Example ${scene.number} of nowhere` }));
    expect([status, json.error.code]).toEqual([404, "entity_not_found"]);
    expect(json.candidates).toEqual([{ id: `ent_${scene.entityId}`, name: scene.name, type: "person" }]);
    const typo = await post("/v1/trackers", body({ entityName: "Zoe Exampel" }));
    expect(typo.json.candidates.length).toBeGreaterThan(0);
    expect((await post("/v1/trackers", body({ entityType: "topic" }))).json).toMatchObject({ candidates: [] });
    expect((await get("/v1/trackers")).json.data).toEqual([]);
  });

  it("a second one on the entity, under whatever name, is 409 and names the first", async () => {
    const first = await create();
    for (const entityName of [scene.name, scene.name.toUpperCase(), `Zed ${scene.number}`]) {
      const { status, json } = await post("/v1/trackers", body({ entityName }));
      expect([status, json.error.code, json.existingId]).toEqual([409, "duplicate_tracker", first.id]);
    }
    await create({}, await scene.edge.newKey());
  });

  it("of many at once on one entity makes one", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post("/v1/trackers", body())));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const ids = new Set(answers.map(({ json }) => json.tracker?.id ?? json.existingId));
    expect(ids.size).toBe(1);
  });

  it("with an Idempotency-Key happens once", async () => {
    const headers = { "idempotency-key": `tracker-${scene.number}` };
    const answers = [];
    for (let call = 0; call < 2; call += 1)
      answers.push(await scene.edge.call("POST", "/v1/trackers", { ...scene.caller, headers, body: body() }));
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect(answers[1]?.headers.get("idempotency-replayed")).toBe("true");
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["no name", { entityName: "" }, /entityName/],
    ["an unknown type", { entityType: "unknown" }, /entityType/],
    ["an unknown field", { notifySms: true }, /notifySms/],
    ["a query that cannot be read", { filters: { query: "(a OR" } }, /filters\.query.*character/],
    ["a bad value of a known filter", { filters: { minConfidence: 2 } }, /filters\.minConfidence/],
    ["filters that are no object", { filters: ["a"] }, /filters/],
    ["a private address", { webhookUrl: "http://[::ffff:10.0.0.1]/" }, /webhookUrl/],
    ["credentials in the URL", { webhookUrl: "https://a:b@example.com/" }, /webhookUrl/],
    ["a webhook without a monitor", hook, /monitor/],
    ["chat without an integration", { notifyChat: true }, /chatIntegrationId/],
    ["a chat integration of nobody", { chatIntegrationId: "chi_1" }, /chatIntegrationId/],
  ])("refuses %s", async (_, more, named) => {
    const { status, json } = await post("/v1/trackers", body(more));
    expect([status, json.error.code]).toEqual([400, "invalid_body"]);
    expect(json.error.message).toMatch(named);
  });

  it("costs no rows", async () => {
    await create();
    expect((await get("/v1/me")).json.usage.rows_used).toBe(0);
  });
});

describe("permission", () => {
  it("needs the scope to write, and reads with any key", async () => {
    const tracker = await create();
    const reader = await scene.edge.newKey({ scopes: ["read"] });
    for (const answer of [
      await post("/v1/trackers", body(), reader),
      await post("/v1/trackers/preview", body(), reader),
      await patch(`/v1/trackers/${tracker.id}`, { isPaused: true }, reader),
      await scene.edge.call("DELETE", `/v1/trackers/${tracker.id}`, reader),
    ]) {
      expect([answer.status, answer.json.error.code]).toEqual([403, "insufficient_scope"]);
      expect(answer.json.error.message).toContain("trackers:write");
    }
    expect((await get("/v1/trackers", reader)).status).toBe(200);
  });

  it.each([
    ["webhook", { notifyWebhook: true, webhookUrl: "https://example.com/" }],
    ["chat", { notifyChat: true }],
  ])("%s on a plan without it is the bare 403, before the scope and before any other fault", async (feature, more) => {
    const free = await scene.edge.newKey({ tier: "free" });
    const bare = { error: "upgrade_required", upgradeRequired: true, feature };
    const downgraded = await scene.edge.newKey();
    const { id } = await create({}, downgraded);
    await updateAccount(scene.edge.context, downgraded.accountId, { tier: "free" });
    for (const answer of [
      await post("/v1/trackers", { ...more, nonsense: true }, free),
      await post("/v1/monitors", { ...more }, free),
      await post("/v1/trackers", body(more), downgraded),
      await patch(`/v1/trackers/${id}`, more, downgraded),
    ])
      expect([answer.status, answer.json]).toEqual([403, bare]);
  });

  it("another account's tracker is not there", async () => {
    const tracker = await create();
    const stranger = await scene.edge.newKey();
    for (const answer of [
      await get(`/v1/trackers/${tracker.id}`, stranger),
      await patch(`/v1/trackers/${tracker.id}`, { isPaused: true }, stranger),
      await scene.edge.call("DELETE", `/v1/trackers/${tracker.id}`, stranger),
      await get("/v1/trackers/no-such-tracker"),
    ])
      expect([answer.status, answer.json.error.code]).toEqual([404, "tracker_not_found"]);
    expect((await get("/v1/trackers", stranger)).json.data).toEqual([]);
  });
});

describe("changing a tracker", () => {
  it("pauses once, and repeats change nothing", async () => {
    const { id } = await create();
    const paused = (await patch(`/v1/trackers/${id}`, { isPaused: true })).json.tracker;
    expect(paused).toMatchObject({ isPaused: true, pausedAt: now.toISOString() });
    expect((await patch(`/v1/trackers/${id}`, { isPaused: true })).json.tracker).toEqual(paused);
    const running = (await patch(`/v1/trackers/${id}`, { isPaused: false })).json.tracker;
    expect(running).toMatchObject({ isPaused: false, pausedAt: null });
    expect((await patch(`/v1/trackers/${id}`, {})).json.tracker).toEqual(running);
  });

  it("overrides its monitor where it says something of its own, and inherits the rest", async () => {
    const { id } = await create();
    const { id: monitorId } = await monitor({ ...hook, notifyEmail: false });
    await post(`/v1/monitors/${monitorId}/trackers`, { trackerIds: [id] });
    const inherits = { monitorId, notifyEmail: false, notifyWebhook: true, webhookUrl: null, overrides: [] };
    expect((await get(`/v1/trackers/${id}`)).json.tracker).toMatchObject(inherits);
    const own = { notifyEmail: true, notifyWebhook: false, webhookUrl: "https://example.org/own" };
    const changed = (await patch(`/v1/trackers/${id}`, own)).json.tracker;
    expect(changed).toMatchObject({ ...own, overrides: ["notifyEmail", "notifyWebhook", "webhookUrl"] });
    const nulls = { notifyEmail: null, notifyWebhook: null, webhookUrl: null };
    expect((await patch(`/v1/trackers/${id}`, nulls)).json.tracker).toMatchObject(inherits);
  });

  it("a webhook of its own needs a monitor whose secret signs", async () => {
    const { id } = await create();
    expect((await patch(`/v1/trackers/${id}`, hook)).status).toBe(400);
    const { id: plain } = await monitor();
    await post(`/v1/monitors/${plain}/trackers`, { trackerIds: [id] });
    expect((await patch(`/v1/trackers/${id}`, hook)).json.error.message).toContain("secret");
    await patch(`/v1/monitors/${plain}`, hook);
    await patch(`/v1/monitors/${plain}`, { notifyWebhook: false });
    expect((await patch(`/v1/trackers/${id}`, hook)).json.tracker).toMatchObject(hook);
  });

  it("a chat of its own needs an integration of the account, and a bot needs a channel", async () => {
    const { id } = await create();
    const connect = (accountId: string) =>
      connectChat(scene.edge.context, { accountId, kind: "slack-bot", name: "Newsroom", secret: "xoxb-secret" });
    const foreign = await connect((await scene.edge.newKey()).accountId);
    const refused = await patch(`/v1/trackers/${id}`, {
      notifyChat: true,
      chatIntegrationId: foreign.chatIntegrationId,
    });
    expect(refused.json.error.message).toContain("chatIntegrationId");
    const { chatIntegrationId } = await connect(scene.caller.accountId);
    expect((await patch(`/v1/trackers/${id}`, { notifyChat: true, chatIntegrationId })).json.error.message).toContain(
      "chatChannelId",
    );
    const chat = { notifyChat: true, chatIntegrationId, chatChannelId: "C1" };
    expect((await patch(`/v1/trackers/${id}`, chat)).json.tracker).toMatchObject(chat);
  });

  it("follows a merge of its entity", async () => {
    const { id } = await create();
    const into = await createNamedEntity(scene.edge.context, `${scene.name} II`);
    await scene.edge.context.pool.transaction((transaction) => mergeEntities(transaction, scene.entityId, into));
    expect((await get(`/v1/trackers/${id}`)).json.tracker).toMatchObject({
      entityId: `ent_${into}`,
      entityName: `${scene.name} II`,
    });
    expect((await post("/v1/trackers", body())).json.existingId).toBe(id);
  });

  it("deletes", async () => {
    const { id } = await create();
    const gone = await scene.edge.call("DELETE", `/v1/trackers/${id}`, scene.caller);
    expect([gone.status, gone.json]).toEqual([200, { id, deleted: true }]);
    expect((await get(`/v1/trackers/${id}`)).status).toBe(404);
    await create();
  });
});

describe("the list", () => {
  it("pages newest first, without a repeat or a gap", async () => {
    const ids: string[] = [];
    for (let made = 0; made < 5; made += 1) {
      const entityName = `${scene.name} no. ${made}`;
      await createNamedEntity(scene.edge.context, entityName);
      ids.unshift((await create({ entityName })).id);
    }
    const seen: string[] = [];
    let cursor = "";
    do {
      const { json } = await get(`/v1/trackers?limit=2${cursor}`);
      seen.push(...json.data.map(({ id }: { id: string }) => id));
      cursor = json.has_more ? `&cursor=${json.next_cursor}` : "";
    } while (cursor !== "");
    expect(seen).toEqual(ids);
  });
});
