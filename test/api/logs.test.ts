import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createKeyVault } from "../../adapters/vault/keyVault.ts";
import type { EndedExchange } from "../../api/http/exchange.ts";
import { createMetrics } from "../../api/metrics/metrics.ts";
import { sql } from "../../database/pool.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

const masterKey = randomBytes(32);
const masterKeys = new Map([["m1", masterKey]]);
const ended: EndedExchange[] = [];
let edge: Edge;
let caller: NewKey;
beforeAll(async () => {
  edge = await startEdge({
    vault: createKeyVault(async () => masterKeys),
    observe: (exchange) => ended.push(exchange),
    settings: { rateLimitPerMinute: { free: 2 } },
  });
  caller = await edge.newKey();
});
afterAll(() => edge.close());

function submit(videoId: string, idempotencyKey?: string) {
  const headers = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
  return edge.call("POST", "/v1/transcriptions", { key: caller.key, body: { videoId }, headers });
}

/** The log line of a response, which comes a moment after it. */
async function lineOf({ headers }: { headers: Headers }): Promise<Record<string, unknown>> {
  for (;;) {
    const line = edge.log.find(({ requestId }) => requestId === headers.get("x-request-id"));
    if (line !== undefined) return line;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("the log line of a request", () => {
  it("says who called what, how it ended, and how many rows it charged", async () => {
    const bought = await submit("aaaaaaaaaa1", "buy");
    expect(await lineOf(bought)).toMatchObject({
      requestId: bought.headers.get("x-request-id"),
      accountId: caller.accountId,
      keyId: caller.keyId,
      route: "submitTranscription",
      method: "POST",
      status: 202,
      rows: bought.json.rowsCharged,
    });
    expect(bought.json.rowsCharged).toBeGreaterThan(0);
    expect(await lineOf(await submit("aaaaaaaaaa1", "buy"))).toMatchObject({ status: 202, rows: 0, replayed: true });
    const me = await edge.call("GET", "/v1/me", { key: caller.key });
    expect(await lineOf(me)).toMatchObject({ route: "getMe", status: 200, rows: 0 });
    const nowhere = await edge.call("GET", "/nowhere");
    expect(await lineOf(nowhere)).toMatchObject({ route: null, status: 404, rows: 0, code: "not_found" });
  });

  it("charges no rows where the transaction failed", async () => {
    await edge.context.pool.query(
      sql.unsafe`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    );
    await edge.context.pool.query(
      sql.unsafe`create trigger refuse before insert on idempotency_key for each row execute function refuse()`,
    );
    const failed = await submit("aaaaaaaaaa2", "fails");
    await edge.context.pool.query(sql.unsafe`drop trigger refuse on idempotency_key`);
    expect(await lineOf(failed)).toMatchObject({ status: 500, rows: 0, code: "internal_error" });
  });
});

it("no secret ever stands in the log, whatever happens", async () => {
  const secrets = [caller.key, edge.internalKey];
  const { key: free, accountId } = await edge.newKey({ tier: "free" });
  secrets.push(free);
  const internal = (method: string, path: string, headers = {}) =>
    edge.call(method, `/internal${path}`, { key: edge.internalKey, headers, ...(method === "POST" && { body: {} }) });
  for (let call = 1; call <= 4; call += 1) await edge.call("GET", "/v1/me", { key: free });
  const created = await internal("POST", `/accounts/${accountId}/keys`, { "idempotency-key": "made" });
  secrets.push(created.json.key);
  await internal("POST", `/accounts/${accountId}/keys`, { "idempotency-key": "made" });
  secrets.push(...(await useWebhookAndChatSecrets()));
  const bearer = { authorization: `Bearer ${caller.key}` };
  await edge.call("GET", "/v1/me", { headers: bearer });
  await edge.call("GET", `/v1/me?key=${caller.key}`, { headers: bearer });
  await edge.call("GET", `/${caller.key}`, { headers: { ...bearer, "x-request-id": "mine" } });
  await edge.call("GET", `/v1/transcriptions/${caller.key}`, { headers: bearer });
  await edge.call("POST", "/v1/transcriptions", { headers: bearer, body: { [caller.key]: caller.key } });
  await edge.call("POST", "/v1/transcriptions", { headers: bearer, body: `{"videoId": "${caller.key}` });
  await edge.call("PUT", "/v1/me", { headers: bearer, body: caller.key });
  // A vault without its key, and a database that refuses: the two 500s.
  masterKeys.clear();
  expect((await internal("POST", `/accounts/${accountId}/keys`, { "idempotency-key": "made" })).status).toBe(500);
  masterKeys.set("m1", masterKey);
  await edge.context.pool.query(sql.unsafe`alter table api_key rename column secret_last4 to other`);
  expect((await internal("POST", `/accounts/${accountId}/keys`, { "idempotency-key": "more" })).status).toBe(500);
  await edge.context.pool.query(sql.unsafe`alter table api_key rename column other to secret_last4`);
  const last = await edge.call("GET", "/v1/me", { headers: bearer });
  await lineOf(last);

  const log = JSON.stringify(edge.log);
  expect(edge.log.filter(({ status }) => status === 500).length).toBeGreaterThanOrEqual(2);
  for (const form of ["base64", "base64url", "hex"] as const) secrets.push(masterKey.toString(form));
  for (const secret of secrets) expect(log).not.toContain(secret.replace(/^(svc_(sk|int)|whsec)_/, ""));
  expect(log).not.toMatch(/bearer|svc_sk_|svc_int_/i);
});

/** Makes, rotates and repeats what customers and operators entrust to us; returns what it was. */
async function useWebhookAndChatSecrets(): Promise<string[]> {
  const token = "xoxb-0123456789-abcdef";
  const hook = { name: "Press", notifyWebhook: true, webhookUrl: "https://example.com/hooks/nobody-knows" };
  const post = (path: string, body: object, key = caller.key) =>
    edge.call("POST", path, { key, body, headers: { "idempotency-key": `secret ${path}` } });
  await post("/v1/monitors", hook);
  const { monitor } = (await post("/v1/monitors", hook)).json;
  await post(`/v1/monitors/${monitor.id}/webhook-secret/rotate`, {});
  const rotated = (await post(`/v1/monitors/${monitor.id}/webhook-secret/rotate`, {})).json;
  await post(`/v1/monitors/${monitor.id}/webhook/test`, {});
  await edge.call("PATCH", `/v1/monitors/${monitor.id}`, {
    key: caller.key,
    body: { webhookSecret: rotated.webhookSecret },
  });
  await edge.call("POST", `/v1/monitors/${rotated.webhookSecret}/webhook/test`, { key: caller.key });
  const chats = `/internal/accounts/${caller.accountId}/chat-integrations`;
  const chat = await post(chats, { kind: "slack-bot", name: "News", secret: token }, edge.internalKey);
  expect([rotated.webhookSecret.startsWith("whsec_"), chat.status]).toEqual([true, 201]);
  return [monitor.webhookSecret, rotated.webhookSecret, "nobody-knows", token];
}

it("metrics count rows, limits and the fates of Idempotency-Keys", async () => {
  const counted = await edge.newKey({ tier: "free" });
  const from = ended.length;
  for (let call = 1; call <= 3; call += 1) await edge.call("GET", "/v1/me", { key: counted.key });
  const bought = await submit("aaaaaaaaaa3", "counted");
  await submit("aaaaaaaaaa3", "counted");
  await submit("aaaaaaaaaa4", "counted");
  await lineOf(await submit("not a video", "failing"));
  const metrics = createMetrics(edge.context.pool);
  for (const exchange of ended.slice(from)) metrics.observe(exchange);
  const text = await metrics.registry.metrics();
  for (const line of [
    'rate_limited_total{route="getMe"} 1',
    `rows_charged_total ${bought.json.rowsCharged}`,
    'idempotency_outcomes_total{outcome="stored"} 1',
    'idempotency_outcomes_total{outcome="replayed"} 1',
    'idempotency_outcomes_total{outcome="conflict"} 1',
    'idempotency_outcomes_total{outcome="failed"} 1',
  ])
    expect(text).toContain(line);
});
