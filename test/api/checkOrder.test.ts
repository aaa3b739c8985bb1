import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { keyAccess } from "../../api/http/access.ts";
import { none, operation } from "../../api/http/operation.ts";
import { v1Operations } from "../../api/v1/operations.ts";
import { updateAccount } from "../../services/accounts/updateAccount.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

/** Needs what no operation of today needs yet: a tier and a scope that can be lacking. */
const commercial = operation({
  id: "testCommercial",
  method: "post",
  path: "/v1/test-commercial",
  tag: "Meta",
  summary: "For this test",
  access: keyAccess("recommendations:read", { proPlus: true }),
  params: none,
  query: none,
  body: z.strictObject({ n: z.int() }),
  responses: { 200: { description: "Done.", json: z.object({ n: z.int() }) } },
  handle: async ({ body }) => ({ status: 200, json: body }),
});
const path = "/v1/test-commercial";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({
    operations: [...v1Operations, commercial],
    settings: { rateLimitPerMinute: { free: 2, pro_plus: 3 } },
  });
});
afterAll(() => edge.close());

/** Everything about the request is wrong; each step mends the fault that was named. */
async function codeOf(
  method: string,
  at: string,
  { key }: { key?: string } = {},
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await edge.call(method, at, { ...(key !== undefined && { key }), headers, body: "{broken" });
  return answer.json.error.code;
}

async function keepAnswer({ key }: NewKey, idempotencyKey: string): Promise<void> {
  const kept = await edge.call("POST", path, { key, headers: { "idempotency-key": idempotencyKey }, body: { n: 1 } });
  expect(kept.status).toBe(200);
}

describe("the first fault in the order of checks is the one named", () => {
  it("path, then method, then key", async () => {
    expect(await codeOf("POST", "/v1/nowhere")).toBe("not_found");
    expect(await codeOf("DELETE", path)).toBe("method_not_allowed");
    expect(await codeOf("POST", path)).toBe("invalid_api_key");
  });

  it("rate limit before all that the plan decides", async () => {
    const { key, accountId } = await edge.newKey({ tier: "free", rows: 0, scopes: ["read"] });
    await updateAccount(edge.context, accountId, { apiEnabled: false });
    const codes = [];
    for (let call = 0; call < 3; call += 1) codes.push(await codeOf("POST", path, { key }));
    expect(codes).toEqual(["api_not_enabled", "api_not_enabled", "rate_limit_exceeded"]);
  });

  it("API access, then tier, then scope, then quota, then Idempotency-Key, then the body", async () => {
    const caller = await edge.newKey({ tier: "ultra", rows: 0, scopes: ["read"] });
    await updateAccount(edge.context, caller.accountId, { apiEnabled: false, tier: "pro" });
    expect(await codeOf("POST", path, caller)).toBe("api_not_enabled");
    await updateAccount(edge.context, caller.accountId, { apiEnabled: true });
    expect(await codeOf("POST", path, caller)).toBe("recommendations_not_enabled");
    await updateAccount(edge.context, caller.accountId, { tier: "ultra" });
    expect(await codeOf("POST", path, caller)).toBe("insufficient_scope");
    const scoped = await edge.newKey({ tier: "ultra", rows: 0 });
    expect(await codeOf("POST", path, scoped)).toBe("quota_exceeded");
    await updateAccount(edge.context, scoped.accountId, { monthlyRows: 10 });
    expect(await codeOf("POST", path, scoped, { "idempotency-key": "x".repeat(256) })).toBe("invalid_body");
    await keepAnswer(scoped, "used");
    expect(await codeOf("POST", path, scoped, { "idempotency-key": "used" })).toBe("idempotency_conflict");
    expect(await codeOf("POST", path, scoped)).toBe("invalid_body");
  });
});

it("names the missing scope", async () => {
  const { key } = await edge.newKey({ tier: "ultra", scopes: ["read"] });
  const refused = await edge.call("POST", path, { key, body: { n: 1 } });
  expect(refused.json.error.message).toContain("`recommendations:read`");
});

it("refuses zero-row reads too when the pool is used up, unless on-demand pays", async () => {
  const empty = await edge.newKey({ rows: 0 });
  expect((await edge.call("GET", "/v1/me", empty)).status).toBe(402);
  const onDemand = await edge.newKey({ rows: 0, onDemand: true });
  expect((await edge.call("GET", "/v1/me", onDemand)).status).toBe(200);
  const capped = await edge.newKey({ rows: 0, onDemand: true, spendCapCents: 0 });
  expect((await edge.call("GET", "/v1/me", capped)).json.error.code).toBe("quota_exceeded");
});
