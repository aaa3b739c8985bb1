import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { internalAccess } from "../../api/http/access.ts";
import { none, operation } from "../../api/http/operation.ts";
import { v1Operations } from "../../api/v1/operations.ts";
import { sql } from "../../database/pool.ts";
import { createInternalKey } from "../../services/keys/createKey.ts";
import { setKeyState } from "../../services/keys/setKeyState.ts";
import { type Edge, startEdge } from "./edge.ts";

/** Operators' operations live outside /v1 and the document. */
const internal = operation({
  id: "testInternal",
  method: "get",
  path: "/internal/test",
  tag: "Internal",
  summary: "For this test",
  access: internalAccess,
  params: none,
  query: none,
  responses: { 200: { description: "Who called.", json: z.object({ keyId: z.string() }) } },
  handle: ({ caller }) => ({ status: 200, json: { keyId: caller.keyId } }),
});

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ operations: [...v1Operations, internal] });
});
afterAll(() => edge.close());

describe("a live key", () => {
  it("is taken from either header", async () => {
    const { key, accountId } = await edge.newKey();
    const bearer = await edge.call("GET", "/v1/me", { headers: { authorization: `Bearer ${key}` } });
    const apiKey = await edge.call("GET", "/v1/me", { headers: { "x-api-key": key } });
    expect([bearer.json.user_id, apiKey.json.user_id]).toEqual([accountId, accountId]);
  });

  it("in x-api-key wins over the other header, also when it is the bad one", async () => {
    const [first, second] = [await edge.newKey(), await edge.newKey()];
    const both = await edge.call("GET", "/v1/me", {
      key: first.key,
      headers: { authorization: `Bearer ${second.key}` },
    });
    expect(both.json.user_id).toBe(first.accountId);
    const bad = await edge.call("GET", "/v1/me", {
      key: "nonsense",
      headers: { authorization: `Bearer ${second.key}` },
    });
    expect(bad.status).toBe(401);
  });
});

async function deadKey(state: "disabled" | "deleted"): Promise<Record<string, string>> {
  const { key, keyId } = await edge.newKey();
  await setKeyState(edge.context, keyId, state);
  return { "x-api-key": key };
}

describe("anything else", () => {
  const never = `svc_sk_${"0".repeat(64)}`;
  const deadKeys: [string, () => Promise<Record<string, string>>][] = [
    ["no key", async () => ({})],
    ["an empty key", async () => ({ "x-api-key": "" })],
    ["a malformed key", async () => ({ "x-api-key": "svc_sk_short" })],
    ["another scheme", async () => ({ authorization: `Basic ${never}` })],
    ["an unknown key", async () => ({ "x-api-key": never })],
    ["an internal key", async () => ({ "x-api-key": (await createInternalKey(edge.context, "reviews")).key })],
    ["a disabled key", async () => deadKey("disabled")],
    ["a deleted key", async () => deadKey("deleted")],
    [
      "an expired key",
      async () => ({ "x-api-key": (await edge.newKey({ expiresAt: new Date(Date.now() - 1000) })).key }),
    ],
  ];

  it.each(deadKeys)("%s is the same 401, without limit headers", async (_name, headers) => {
    const refused = await edge.call("GET", "/v1/me", { headers: await headers() });
    const reference = await edge.call("GET", "/v1/me");
    expect(refused.status).toBe(401);
    expect(refused.json.error).toEqual({ ...reference.json.error, request_id: refused.headers.get("x-request-id") });
    expect(refused.json.error.code).toBe("invalid_api_key");
    expect(refused.headers.has("ratelimit-limit")).toBe(false);
  });

  it("is felt at the next request, and so is its return", async () => {
    const { key, keyId } = await edge.newKey();
    const statuses = [];
    for (const state of ["active", "disabled", "active", "deleted"] as const) {
      await setKeyState(edge.context, keyId, state);
      statuses.push((await edge.call("GET", "/v1/me", { key })).status);
    }
    expect(statuses).toEqual([200, 401, 200, 401]);
  });
});

it("an internal key, and no other, opens the operators' routes; no limit is counted", async () => {
  const operator = await createInternalKey(edge.context, "operator");
  const opened = await edge.call("GET", "/internal/test", { key: operator.key });
  expect([opened.status, opened.json.keyId, opened.headers.has("ratelimit-limit")]).toEqual([
    200,
    operator.keyId,
    false,
  ]);
  const { key } = await edge.newKey();
  expect((await edge.call("GET", "/internal/test", { key })).json.error.code).toBe("invalid_api_key");
  expect((await edge.call("GET", "/v1/openapi.json")).text).not.toContain("/internal/");
});

it("writes when and from where a key was last used, in one batch off the request path", async () => {
  const { key, keyId } = await edge.newKey();
  await edge.call("GET", "/v1/me", { key });
  expect(await lastUse(keyId)).toEqual({ used: false, ip: null });
  await edge.keyUses.flush();
  expect(await lastUse(keyId)).toEqual({ used: true, ip: "127.0.0.1" });
});

async function lastUse(keyId: string) {
  return edge.context.pool.one(sql.type(z.object({ used: z.boolean(), ip: z.string().nullable() }))`
    select last_used_at is not null as used, host(last_used_ip) as ip from api_key where id = ${keyId}`);
}
