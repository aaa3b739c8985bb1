import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { keyAccess } from "../../api/http/access.ts";
import { none, operation } from "../../api/http/operation.ts";
import { anchorMismatchBody, staleSequenceBody } from "../../api/openapi/bareBodies.ts";
import { AnchorMismatch, StaleSequence } from "../../domain/bareRefusals.ts";
import { ApiError } from "../../domain/errors.ts";
import { updateAccount } from "../../services/accounts/updateAccount.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

const done = { 200: { description: "Done.", json: z.object({ done: z.literal(true) }) } };
const declared = { tag: "Meta", summary: "For this test", params: none, responses: done };
const answer = { status: 200 as const, json: { done: true as const } };

/** As `GET /v1/mentions`: commercial data only where it is asked for. */
const mentions = operation({
  ...declared,
  id: "testMentions",
  method: "get",
  path: "/v1/test-mentions",
  access: keyAccess("read", {
    commercialWhen: { says: "`details=full`", holds: ({ query }) => query["details"] === "full" },
  }),
  query: z.strictObject({ details: z.enum(["none", "full"]).optional(), id: z.string().optional() }),
  errors: ["entity_not_found"],
  handle({ query }) {
    if (query.id !== undefined) throw new ApiError("entity_not_found");
    return answer;
  },
});

/** As `POST /v1/feedback`: of the body, `type` alone is read before the tier check. */
const feedback = operation({
  ...declared,
  id: "testFeedback",
  method: "post",
  path: "/v1/test-feedback",
  access: keyAccess("read", {
    commercialWhen: { says: "`type` recommendations", holds: ({ body }) => body["type"] === "recommendations" },
  }),
  query: none,
  body: z.strictObject({ type: z.enum(["mentions", "recommendations"]), n: z.int() }),
  handle: async () => answer,
});

/** As `POST /v1/monitors`, and like a correction it has bare refusals of its own. */
const monitor = operation({
  ...declared,
  id: "testMonitor",
  method: "post",
  path: "/v1/test-monitors",
  access: keyAccess("monitors:write", {
    featureOf: (body) => (body["notifyWebhook"] === true ? "webhook" : body["notifyChat"] === true ? "chat" : null),
  }),
  query: none,
  body: z.strictObject({
    notifyWebhook: z.boolean().optional(),
    notifyChat: z.boolean().optional(),
    seq: z.int().optional(),
    hash: z.string().optional(),
  }),
  bareBodies: { 409: anchorMismatchBody, 412: staleSequenceBody },
  errors: ["illegal_transition"],
  async handle({ body }) {
    if (body.seq !== undefined) throw new StaleSequence(7);
    if (body.hash === "old") throw new AnchorMismatch("content_hash_mismatch", 3);
    if (body.hash !== undefined) throw new ApiError("illegal_transition");
    return answer;
  },
});

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({
    operations: [mentions, feedback, monitor],
    settings: { rateLimitPerMinute: { free: 1000, pro: 1000, ultra: 1000 } },
  });
});
afterAll(() => edge.close());

async function named(method: string, path: string, caller: { key: string }, body?: unknown, headers = {}) {
  const { status, json } = await edge.call(method, path, {
    key: caller.key,
    headers,
    ...(body !== undefined && { body }),
  });
  return status === 200 ? "done" : typeof json.error === "string" ? json.error : json.error.code;
}

/** A key whose account has since gone to another tier; it keeps the scopes that it had. */
async function movedKey(
  scopes: Parameters<Edge["newKey"]>[0],
  tier: "free" | "pro" | "ultra",
  rows: number,
): Promise<NewKey> {
  const caller = await edge.newKey({ tier: "ultra", ...scopes });
  await updateAccount(edge.context, caller.accountId, { tier, monthlyRows: rows });
  return caller;
}

describe("commercial data that only some requests ask for", () => {
  const path = "/v1/test-mentions";

  it("needs the tier, then the scope, before the quota and the validation", async () => {
    const wrong = `${path}?details=full&nonsense=1`;
    const caller = await movedKey({ scopes: ["monitors:write"] }, "pro", 0);
    await updateAccount(edge.context, caller.accountId, { apiEnabled: false });
    expect(await named("DELETE", wrong, caller)).toBe("method_not_allowed");
    expect(await named("GET", wrong, { key: "nonsense" })).toBe("invalid_api_key");
    expect(await named("GET", wrong, caller)).toBe("api_not_enabled");
    await updateAccount(edge.context, caller.accountId, { apiEnabled: true });
    expect(await named("GET", wrong, caller)).toBe("recommendations_not_enabled");
    await updateAccount(edge.context, caller.accountId, { tier: "ultra" });
    const lacking = await edge.call("GET", wrong, { key: caller.key });
    expect([lacking.json.error.code, lacking.json.error.message]).toEqual([
      "insufficient_scope",
      expect.stringContaining("`recommendations:read`"),
    ]);
    const scoped = await movedKey({ scopes: ["read", "recommendations:read"] }, "ultra", 0);
    expect(await named("GET", wrong, scoped)).toBe("quota_exceeded");
    await updateAccount(edge.context, scoped.accountId, { monthlyRows: 10 });
    expect(await named("GET", wrong, scoped)).toBe("invalid_query");
    expect(await named("GET", `${path}?details=full&id=1`, scoped)).toBe("entity_not_found");
    expect(await named("GET", `${path}?details=full`, scoped)).toBe("done");
  });

  it("asks nothing more of the other requests, and nothing of a query that cannot be read", async () => {
    const { key } = await edge.newKey({ tier: "free", scopes: ["read"] });
    expect(await named("GET", path, { key })).toBe("done");
    expect(await named("GET", `${path}?details=none`, { key })).toBe("done");
    expect(await named("GET", `${path}?details=FULL`, { key })).toBe("invalid_query");
    expect(await named("GET", `${path}?details=full&x=%ff`, { key })).toBe("invalid_query");
  });

  it("can depend on one field of a body that is otherwise wrong", async () => {
    const caller = await edge.newKey({ tier: "pro", scopes: ["read"] });
    const ask = (body: unknown, headers = {}) => named("POST", "/v1/test-feedback", caller, body, headers);
    expect(await ask({ type: "recommendations", nonsense: 1 })).toBe("recommendations_not_enabled");
    expect(await ask({ type: "recommendations", n: 1 }, { "idempotency-key": "x".repeat(256) })).toBe(
      "recommendations_not_enabled",
    );
    expect(await ask({ type: "mentions", nonsense: 1 })).toBe("invalid_body");
    expect(await ask({ type: ["recommendations"], n: 1 })).toBe("invalid_body");
    expect(await ask("{broken")).toBe("invalid_body");
    expect(await ask("null")).toBe("invalid_body");
    expect(await ask({ type: "mentions", n: 1 })).toBe("done");
  });
});

const ask = (caller: { key: string }, body: unknown, headers = {}) =>
  named("POST", "/v1/test-monitors", caller, body, headers);

describe("a delivery feature that the plan lacks", () => {
  it("is refused bare, after API access and before the scope, the quota, the Idempotency-Key and the rest of the body", async () => {
    const caller = await edge.newKey({ tier: "free", rows: 0, scopes: ["read"] });
    await updateAccount(edge.context, caller.accountId, { apiEnabled: false });
    const wrong = { notifyWebhook: true, nonsense: 1 };
    expect(await ask(caller, wrong)).toBe("api_not_enabled");
    await updateAccount(edge.context, caller.accountId, { apiEnabled: true });
    const refused = await edge.call("POST", "/v1/test-monitors", { key: caller.key, body: wrong });
    expect([refused.status, refused.json]).toEqual([
      403,
      { error: "upgrade_required", upgradeRequired: true, feature: "webhook" },
    ]);
    expect(refused.headers.get("ratelimit-limit")).toBe("1000");
    expect(await ask(caller, { notifyChat: true }, { "idempotency-key": "x".repeat(256) })).toBe("upgrade_required");
    expect(await ask(caller, { notifyWebhook: false })).toBe("insufficient_scope");
    await updateAccount(edge.context, caller.accountId, { tier: "pro" });
    expect(await ask(caller, wrong)).toBe("insufficient_scope");
  });

  it("is refused to a key that kept its scopes when its account was downgraded", async () => {
    const caller = await movedKey({ scopes: ["monitors:write"] }, "free", 0);
    expect(await ask(caller, { notifyWebhook: true })).toBe("upgrade_required");
    expect(await ask(caller, {})).toBe("quota_exceeded");
  });

  it("does not hide a body that cannot be read", async () => {
    const caller = await edge.newKey({ tier: "free", scopes: ["read"] });
    expect(await ask(caller, { notifyWebhook: true }, { "content-type": "text/plain" })).toBe("insufficient_scope");
    const scoped = await edge.newKey({ tier: "pro" });
    expect(await ask(scoped, { notifyWebhook: true }, { "content-type": "text/plain" })).toBe("unsupported_media_type");
    expect(await ask(scoped, { notifyWebhook: true, hash: "x".repeat(2_000_000) })).toBe("body_too_large");
    expect(await ask(scoped, { notifyWebhook: true })).toBe("done");
  });
});

describe("the bare bodies", () => {
  it("of corrections carry what the next try needs", async () => {
    const { key } = await edge.newKey();
    const stale = await edge.call("POST", "/v1/test-monitors", { key, body: { seq: 1 } });
    expect([stale.status, stale.json]).toEqual([412, { error: "stale_sequence", expectedSeq: 7 }]);
    const moved = await edge.call("POST", "/v1/test-monitors", { key, body: { hash: "old" } });
    expect([moved.status, moved.json]).toEqual([
      409,
      { error: "anchor_mismatch", reason: "content_hash_mismatch", currentRevision: 3 },
    ]);
    expect(moved.headers.get("x-request-id")).toMatch(/^req_/);
    expect(await named("POST", "/v1/test-monitors", { key }, { hash: "new" })).toBe("illegal_transition");
  });

  it("are never stored for a replay", async () => {
    const { key } = await edge.newKey();
    for (let time = 0; time < 2; time += 1) {
      const options = { key, headers: { "idempotency-key": "one" }, body: { seq: 1 } };
      const refused = await edge.call("POST", "/v1/test-monitors", options);
      expect([refused.status, refused.headers.get("idempotency-replayed")]).toEqual([412, null]);
    }
  });

  it("are described beside the envelope, as is what permission depends on", async () => {
    const { paths, components } = (await edge.call("GET", "/v1/openapi.json")).json;
    const { description, responses } = paths["/v1/test-monitors"].post;
    const bare = (status: number) => JSON.stringify(responses[status].content["application/json"].schema);
    expect(bare(403)).toContain("#/components/schemas/UpgradeRequired");
    expect(bare(403)).toContain("#/components/schemas/Error");
    expect(bare(409)).toContain("#/components/schemas/AnchorMismatch");
    expect(bare(412)).toBe('{"$ref":"#/components/schemas/StaleSequence"}');
    expect(components.schemas.UpgradeRequired.required).toEqual(["error", "upgradeRequired", "feature"]);
    expect(description).toBe("Needs the scope `monitors:write`.");
    expect(paths["/v1/test-mentions"].get.description).toContain("With `details=full` it also needs a tier");
    expect(responses[403].description).toContain("A bare body");
  });
});
