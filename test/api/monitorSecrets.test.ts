import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { endRotation } from "../../services/monitors/endRotation.ts";
import { signDelivery } from "../../services/monitors/signDelivery.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let caller: NewKey;
let now = new Date();
beforeAll(async () => {
  edge = await startEdge({ clock: () => now, settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(() => edge.close());
beforeEach(async () => {
  now = new Date();
  caller = await edge.newKey();
});

const day = 86_400_000;
const hook = { notifyWebhook: true, webhookUrl: "https://example.com/hook" };
const secretForm = /^whsec_[A-Za-z0-9+/]{43}=$/;
const write = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  edge.call(method, path, { ...caller, headers, ...(body !== undefined && { body }) });
const create = async (more: object = {}) =>
  (await write("POST", "/v1/monitors", { name: "Watch", ...more })).json.monitor;
const rotate = (id: string, headers: Record<string, string> = {}) =>
  write("POST", `/v1/monitors/${id}/webhook-secret/rotate`, undefined, headers);
const pass = (milliseconds: number) => {
  now = new Date(now.getTime() + milliseconds);
};

/** Of the named secrets, those that sign now, by the header that they sign in. */
async function signing(monitorId: string, secrets: Record<string, string>) {
  const body = '{"id":"evt_1"}';
  const headers = await signDelivery(edge.context, { monitorId, eventId: "evt_1", body });
  const signatures = (headers?.["webhook-signature"] ?? "").split(" ");
  const message = new Date(Number(headers?.["webhook-timestamp"]) * 1000);
  const nameOf = (signature: string | undefined) =>
    Object.entries(secrets).find(([, secret]) => new Webhook(secret).sign("evt_1", message, body) === signature)?.[0] ??
    null;
  return {
    current: nameOf(signatures[0]),
    previous: nameOf(signatures[1]),
    hasPreviousHeader: headers !== null && "X-Service-Signature-Previous" in headers,
  };
}

describe("the secret of a monitor's webhooks", () => {
  it("is in the answer to the creation that enables signing, and in no read", async () => {
    const created = await create(hook);
    expect(created.webhookSecret).toMatch(secretForm);
    const { webhookSecret, ...rest } = created;
    expect(rest).toMatchObject({ webhookSecretSet: true, webhookSecretHint: webhookSecret.slice(-4) });
    for (const path of [`/v1/monitors/${created.id}`, "/v1/monitors"]) {
      const { text } = await edge.call("GET", path, caller);
      expect(text).not.toContain("whsec_");
    }
    expect((await edge.call("GET", `/v1/monitors/${created.id}`, caller)).json.monitor).toEqual(rest);
  });

  it("is in the answer to the first PATCH that enables signing, and never again", async () => {
    const { id } = await create();
    expect((await write("PATCH", `/v1/monitors/${id}`, { webhookUrl: hook.webhookUrl })).text).not.toContain("whsec_");
    const first = (await write("PATCH", `/v1/monitors/${id}`, { notifyWebhook: true })).json.monitor;
    expect(first.webhookSecret).toMatch(secretForm);
    await write("PATCH", `/v1/monitors/${id}`, { notifyWebhook: false });
    const again = (await write("PATCH", `/v1/monitors/${id}`, hook)).json.monitor;
    expect(again).not.toHaveProperty("webhookSecret");
    expect(again.webhookSecretHint).toBe(first.webhookSecretHint);
  });

  it("is replayed to the same request, from an answer that is encrypted at rest", async () => {
    const headers = { "idempotency-key": "enable" };
    const [first, second] = [
      await write("POST", "/v1/monitors", { name: "Watch", ...hook }, headers),
      await write("POST", "/v1/monitors", { name: "Watch", ...hook }, headers),
    ];
    expect(second?.text).toBe(first?.text);
    const row = z.object({ body: z.instanceof(Buffer), sealed: z.boolean() });
    const stored = await edge.context.pool.one(sql.type(row)`
      select body, sealed from idempotency_key where owner = ${caller.accountId} and key = 'enable'`);
    expect(stored.sealed).toBe(true);
    expect(stored.body.toString("latin1")).not.toContain("whsec_");
  });

  it("is sealed in the database, and in no log", async () => {
    const { id, webhookSecret } = await create(hook);
    const rotated = (await rotate(id)).json.webhookSecret;
    const row = z.object({ sealed_secret: z.instanceof(Buffer), sealed_previous: z.instanceof(Buffer) });
    const stored = await edge.context.pool.one(sql.type(row)`
      select sealed_secret, sealed_previous from monitor_webhook_secret where monitor_id = ${id}`);
    const kept = [stored.sealed_secret, stored.sealed_previous].map((bytes) => bytes.toString("latin1")).join("");
    for (const secret of [webhookSecret, rotated]) {
      expect(kept).not.toContain(secret.slice(6, 20));
      expect(JSON.stringify(edge.log)).not.toContain(secret.slice(6, 20));
    }
  });

  it("is gone with its monitor", async () => {
    const { id } = await create(hook);
    await write("DELETE", `/v1/monitors/${id}`);
    expect(await signDelivery(edge.context, { monitorId: id, eventId: "evt_1", body: "" })).toBeNull();
    const left = await edge.context.pool.any(sql.type(z.object({ monitor_id: z.string() }))`
      select monitor_id from monitor_webhook_secret where monitor_id = ${id}`);
    expect(left).toEqual([]);
  });
});

describe("a rotation", () => {
  it("answers with a new secret, this once; from then on the new one signs, the old one beside it", async () => {
    const { id, webhookSecret: old } = await create(hook);
    const { status, json } = await rotate(id);
    expect(status).toBe(200);
    const expiresAt = new Date(now.getTime() + day).toISOString();
    expect(json).toMatchObject({
      webhookSecret: expect.stringMatching(secretForm),
      previousSecretExpiresAt: expiresAt,
    });
    expect(json.monitor).toMatchObject({
      previousSecretExpiresAt: expiresAt,
      webhookSecretHint: json.webhookSecret.slice(-4),
    });
    expect(json.monitor).not.toHaveProperty("webhookSecret");
    expect(await signing(id, { old, new: json.webhookSecret })).toEqual({
      current: "new",
      previous: "old",
      hasPreviousHeader: true,
    });
  });

  it("the old secret does not sign from the exact second on, though nothing has erased it", async () => {
    const { id, webhookSecret: old } = await create(hook);
    const secrets = { old, new: (await rotate(id)).json.webhookSecret };
    pass(day - 1);
    expect(await signing(id, secrets)).toMatchObject({ current: "new", previous: "old" });
    pass(1);
    expect(await signing(id, secrets)).toEqual({ current: "new", previous: null, hasPreviousHeader: false });
    expect((await edge.call("GET", `/v1/monitors/${id}`, caller)).json.monitor.previousSecretExpiresAt).toBeNull();
  });

  it("inside an open window lets the newest two sign, and starts the window anew", async () => {
    const { id, webhookSecret: first } = await create(hook);
    const second = (await rotate(id)).json.webhookSecret;
    pass(day / 2);
    const again = (await rotate(id)).json;
    const secrets = { first, second, third: again.webhookSecret };
    expect(again.previousSecretExpiresAt).toBe(new Date(now.getTime() + day).toISOString());
    expect(await signing(id, secrets)).toEqual({ current: "third", previous: "second", hasPreviousHeader: true });
    pass(day - 1);
    expect(await signing(id, secrets)).toMatchObject({ previous: "second" });
  });

  it("ends by erasing the old secret, not before its time", async () => {
    const { id } = await create(hook);
    await rotate(id);
    const expiresAt = now.getTime() + day;
    const previous = () =>
      edge.context.pool.oneFirst(sql.type(z.object({ sealed_previous: z.instanceof(Buffer).nullable() }))`
        select sealed_previous from monitor_webhook_secret where monitor_id = ${id}`);
    pass(day - 1);
    expect(await endRotation(edge.context, id)).toBe(expiresAt);
    expect(await previous()).not.toBeNull();
    pass(1);
    expect(await endRotation(edge.context, id)).toBeNull();
    expect(await previous()).toBeNull();
  });

  it("is told to its workflow by a message that commits with it", async () => {
    const { id } = await create(hook);
    await rotate(id);
    const told = await edge.context.pool.any(sql.type(z.object({ kind: z.string() }))`
      select kind from outbox where subject = ${id}`);
    expect(told).toEqual([{ kind: "rotation.start" }]);
  });

  it("with an Idempotency-Key happens once, and its replay shows the same secret", async () => {
    const { id, webhookSecret: old } = await create(hook);
    const [first, second] = [
      await rotate(id, { "idempotency-key": "r" }),
      await rotate(id, { "idempotency-key": "r" }),
    ];
    expect(second.text).toBe(first.text);
    expect(await signing(id, { old, new: first.json.webhookSecret })).toMatchObject({
      current: "new",
      previous: "old",
    });
  });

  it("of many at once leaves the newest two", async () => {
    const { id } = await create(hook);
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(id)));
    const secrets = Object.fromEntries(answers.map(({ json }, n) => [String(n), json.webhookSecret]));
    const { current, previous } = await signing(id, secrets);
    expect([current, previous]).not.toContain(null);
    expect(current).not.toBe(previous);
  });

  it.each([
    ["none", {}],
    ["a URL alone", { webhookUrl: hook.webhookUrl }],
  ])("of a monitor with %s is webhook_not_configured", async (_, more) => {
    const { id } = await create(more);
    const { status, json } = await rotate(id);
    expect([status, json.error.code]).toEqual([409, "webhook_not_configured"]);
  });
});
