import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { createAdmission } from "../../services/admission/admit.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.close());

function limits(headers: Headers) {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) =>
    Number(headers.get(`ratelimit-${name}`)),
  );
  return { limit, remaining, reset, policy: headers.get("ratelimit-policy") };
}

async function ageWindow(caller: NewKey, seconds: number): Promise<void> {
  await edge.context.pool.query(sql.typeAlias("void")`
    update rate_window set started_at = started_at - ${seconds} * interval '1 second' where key_id = ${caller.keyId}`);
}

describe("one key", () => {
  it("counts down on every answer, failures included, and then answers 429 until the reset", async () => {
    const caller = await edge.newKey({ tier: "free" });
    const seen = [];
    for (let call = 0; call < 12; call += 1)
      seen.push(await edge.call("GET", call % 2 === 0 ? "/v1/me" : "/v1/transcripts/short", caller));
    expect(seen.map(({ status }) => status)).toEqual([200, 400, 200, 400, 200, 400, 200, 400, 200, 400, 429, 429]);
    expect(seen.map(({ headers }) => limits(headers).remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
    const last = seen.at(-1)?.headers ?? new Headers();
    expect(limits(last)).toMatchObject({ limit: 10, policy: "10;w=60" });
    expect(last.get("retry-after")).toBe(last.get("ratelimit-reset"));
    expect(Number(last.get("retry-after"))).toBeLessThanOrEqual(60);
  });

  it("is let through again when the announced seconds have passed, and not a second before: refusals do not push the end", async () => {
    const caller = await edge.newKey({ tier: "free" });
    for (let call = 0; call < 11; call += 1) await edge.call("GET", "/v1/me", caller);
    await ageWindow(caller, 50);
    const refused = await edge.call("GET", "/v1/me", caller);
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeLessThanOrEqual(10);
    await ageWindow(caller, wait);
    const let_through = await edge.call("GET", "/v1/me", caller);
    expect([let_through.status, limits(let_through.headers).remaining]).toEqual([200, 9]);
  });

  it("has a window of its own, apart from its account's other keys", async () => {
    const [one, other] = [await edge.newKey({ tier: "free" }), await edge.newKey({ tier: "free" })];
    await edge.call("GET", "/v1/me", one);
    expect(limits((await edge.call("GET", "/v1/me", other)).headers).remaining).toBe(9);
  });
});

it("is exact for many requests at once over two processes' admissions: every position once", async () => {
  const caller = await edge.newKey();
  const [one, other] = [createAdmission(edge.context), createAdmission(edge.context)];
  const admitted = await Promise.all(
    Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? one : other)(caller.key)),
  );
  const positions = admitted.map((admission) => admission?.account?.window.requests ?? 0).toSorted((a, b) => a - b);
  expect(positions).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
});

it("is not told to strangers, nor on the routes that need no key", async () => {
  for (const path of ["/v1/health", "/v1/openapi.json", "/v1/nowhere", "/v1/me"]) {
    expect((await edge.call("GET", path)).headers.has("ratelimit-limit")).toBe(false);
  }
});
