import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { createKeyVault } from "../../adapters/vault/keyVault.ts";
import { sql } from "../../database/pool.ts";
import { createInternalKey } from "../../services/keys/createKey.ts";
import { chargeRows, readRowAccount } from "../../services/usage/rowAccount.ts";
import { type Edge, startEdge } from "./edge.ts";

const masterKeys = new Map([["old", randomBytes(32)]]);
let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ vault: createKeyVault(async () => masterKeys) });
});
afterAll(() => edge.close());

function operate(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  return edge.call(method, `/internal${path}`, { key: edge.internalKey, body, headers });
}

async function newAccount(body: Record<string, unknown> = {}): Promise<string> {
  const created = await operate("POST", "/accounts", { email: "owner@example.com", tier: "pro", ...body });
  expect(created.status).toBe(201);
  return created.json.account.account_id;
}

const videos = (page: { data: { video_id: string }[] }) => page.data.map(({ video_id }) => video_id);
const me = async (key: string) => (await edge.call("GET", "/v1/me", { key })).status;

describe("who may enter", () => {
  it("only an internal key: all else is invalid_api_key, and that key opens nothing under /v1", async () => {
    const { key } = await edge.newKey();
    for (const headers of [
      {},
      { "x-api-key": key },
      { authorization: `Bearer ${key}` },
      { "x-api-key": `svc_int_${"0".repeat(64)}` },
    ]) {
      const refused = await edge.call("GET", "/internal/openapi.json", { headers });
      expect([refused.status, refused.json.error.code]).toEqual([401, "invalid_api_key"]);
    }
    expect(await me(edge.internalKey)).toBe(401);
    const { status } = await edge.call("GET", "/internal/openapi.json", {
      headers: { authorization: `Bearer ${edge.internalKey}` },
    });
    expect(status).toBe(200);
  });

  it("without a rate limit and its headers", async () => {
    const accountId = await newAccount({ tier: "free" });
    const answers = await Promise.all(Array.from({ length: 40 }, () => operate("GET", `/accounts/${accountId}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const name of ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "ratelimit-policy"])
      expect(answers[0]?.headers.has(name)).toBe(false);
  });

  it("not a disabled or deleted internal key", async () => {
    const own = await createInternalKey(edge.context, "own");
    const status = async () => (await edge.call("GET", "/internal/openapi.json", { key: own.key })).status;
    const seen = [await status()];
    await operate("POST", `/keys/${own.keyId}/disable`);
    seen.push(await status());
    await operate("POST", `/keys/${own.keyId}/enable`);
    seen.push(await status());
    await operate("DELETE", `/keys/${own.keyId}`);
    seen.push(await status());
    expect(seen).toEqual([200, 401, 200, 401]);
  });
});

describe("the documents", () => {
  it("describe what is internal apart from what is public", async () => {
    const [internal, published] = [await operate("GET", "/openapi.json"), await edge.call("GET", "/v1/openapi.json")];
    const paths = Object.keys(internal.json.paths);
    expect(paths).toContain("/internal/accounts/{account_id}/keys");
    expect(paths.filter((path) => !path.startsWith("/internal/"))).toEqual([]);
    expect(published.text).not.toContain("/internal");
  });
});

describe("accounts", () => {
  it("are created, read and changed", async () => {
    const accountId = await newAccount({ monthly_rows: 7, on_demand: true, spend_cap_cents: 5 });
    const created = { account_id: accountId, email: "owner@example.com", tier: "pro", api_enabled: true };
    const read = await operate("GET", `/accounts/${accountId}`);
    expect(read.json.account).toMatchObject({ ...created, monthly_rows: 7, on_demand: true, spend_cap_cents: 5 });
    const change = { tier: "ultra", monthly_rows: null, on_demand: false, spend_cap_cents: null, api_enabled: false };
    const changed = await operate("PATCH", `/accounts/${accountId}`, change);
    expect([changed.status, changed.json.account]).toEqual([200, expect.objectContaining(change)]);
    expect((await operate("GET", `/accounts/${accountId}`)).text).toBe(changed.text);
  });

  it("refuse what does not fit", async () => {
    const accountId = await newAccount();
    for (const [method, path, body] of [
      ["POST", "/accounts", { email: "nobody", tier: "pro" }],
      ["POST", "/accounts", { email: "a@b.c", tier: "gold" }],
      ["POST", "/accounts", { email: "a@b.c", tier: "pro", rows: 5 }],
      ["PATCH", `/accounts/${accountId}`, { monthly_rows: -1 }],
      ["PATCH", `/accounts/${accountId}`, { spend_cap_cents: 2 ** 31 }],
      ["PATCH", `/accounts/${accountId}`, { monthly_rows: 2 ** 60 }],
    ] as const) {
      const refused = await operate(method, path, body);
      expect([refused.status, refused.json.error.code]).toEqual([400, "invalid_body"]);
    }
    for (const path of ["/accounts/usr_none", "/accounts/usr_none/usage", "/accounts/usr_none/keys"]) {
      const missing = await operate("GET", path);
      expect([missing.status, missing.json.error.code]).toEqual([404, "account_not_found"]);
    }
    expect((await operate("GET", "/accounts/%00")).status).toBe(400);
  });

  it("show their use, and the ledger behind it page by page", async () => {
    const accountId = await newAccount({ monthly_rows: 100 });
    const account = await readRowAccount(edge.context, edge.context.pool, accountId);
    for (let entry = 1; entry <= 5; entry += 1)
      await chargeRows(edge.context.pool, account, {
        rows: entry,
        kind: "debit",
        reason: "a read",
        subject: "x",
        requestId: `req_${entry}`,
      });
    const usage = await operate("GET", `/accounts/${accountId}/usage`);
    expect(usage.json).toMatchObject({ rows_used: 15, rows_remaining: 85, monthly_rows: 100, current_spend_cents: 0 });
    const rows: number[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const from: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { json } = await operate("GET", `/accounts/${accountId}/usage?ledger=true&limit=2${from}`);
      expect(json.has_more).toBe(json.next_cursor !== null);
      rows.push(...json.data.map((line: { rows: number }) => line.rows));
      cursor = json.next_cursor;
    }
    expect(rows).toEqual([1, 2, 3, 4, 5]);
    const foreign = await operate("GET", `/accounts/${await newAccount()}/usage?ledger=true&limit=2`);
    expect(foreign.json).toEqual({ data: [], has_more: false, next_cursor: null });
  });
});

describe("keys", () => {
  it("are shown once; later only how they begin and end, their state and their last use", async () => {
    const accountId = await newAccount();
    const created = await operate("POST", `/accounts/${accountId}/keys`, { name: "production" });
    const { key, api_key } = created.json;
    expect([created.status, await me(key)]).toEqual([201, 200]);
    expect(api_key).toMatchObject({ name: "production", state: "active", last_used_at: null, last_used_ip: null });
    expect([api_key.key_prefix, api_key.key_last4]).toEqual([key.slice(0, "svc_sk_".length + 4), key.slice(-4)]);
    await edge.keyUses.flush();
    const listed = await operate("GET", `/accounts/${accountId}/keys`);
    expect(listed.text).not.toContain(key.slice(12, -5));
    expect(listed.json.data).toEqual([{ ...api_key, last_used_at: expect.any(String), last_used_ip: "127.0.0.1" }]);
  });

  it("may have no scope that the tier lacks", async () => {
    const accountId = await newAccount();
    const refused = await operate("POST", `/accounts/${accountId}/keys`, { scopes: ["recommendations:read"] });
    expect([refused.status, refused.json.error.code]).toEqual([400, "invalid_body"]);
    expect(refused.json.error.message).toContain("recommendations:read");
    const granted = await operate("POST", `/accounts/${accountId}/keys`, { scopes: ["trackers:write"] });
    expect(granted.json.api_key.scopes).toEqual(["read", "trackers:write"]);
  });

  it("go through their states, each with effect on the next request", async () => {
    const accountId = await newAccount();
    const { key, api_key } = (await operate("POST", `/accounts/${accountId}/keys`, {})).json;
    const path = `/keys/${api_key.key_id}`;
    const states = async () =>
      (await operate("GET", `/accounts/${accountId}/keys`)).json.data.map(({ state }: { state: string }) => state);
    const seen: unknown[] = [];
    for (const [method, verb] of [
      ["POST", "/disable"],
      ["POST", "/disable"],
      ["POST", "/enable"],
      ["DELETE", ""],
      ["DELETE", ""],
      ["POST", "/enable"],
      ["POST", "/disable"],
    ] as const) {
      const { status } = await operate(method, path + verb);
      seen.push([status, await me(key), ...(await states())]);
    }
    expect(seen).toEqual([
      [200, 401, "disabled"],
      [200, 401, "disabled"],
      [200, 200, "active"],
      [200, 401, "deleted"],
      [200, 401, "deleted"],
      [404, 401, "deleted"],
      [404, 401, "deleted"],
    ]);
    expect((await operate("DELETE", "/keys/key_none")).json.error.code).toBe("key_not_found");
  });

  it("expire", async () => {
    const accountId = await newAccount();
    const { key, api_key } = (
      await operate("POST", `/accounts/${accountId}/keys`, { expires_at: new Date(Date.now() - 1000).toISOString() })
    ).json;
    expect([await me(key), api_key.state]).toEqual([401, "expired"]);
  });

  it("are listed newest first, page by page", async () => {
    const accountId = await newAccount();
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1)
      made.unshift((await operate("POST", `/accounts/${accountId}/keys`, {})).json.api_key.key_id);
    const listed: string[] = [];
    let from = "";
    do {
      const { json } = await operate("GET", `/accounts/${accountId}/keys?limit=2${from}`);
      listed.push(...json.data.map((row: { key_id: string }) => row.key_id));
      from = json.next_cursor === null ? "" : `&cursor=${json.next_cursor}`;
    } while (from !== "");
    expect(listed).toEqual(made);
  });
});

describe("jobs", () => {
  it("of all accounts are listed newest first, by status and page by page", async () => {
    const made: string[] = [];
    for (let video = 1; video <= 3; video += 1) {
      const { key } = await edge.newKey();
      const videoId = `jobs_of_ops${video}`.slice(-11);
      await edge.call("POST", "/v1/transcriptions", { key, body: { videoId } });
      made.unshift(videoId);
      if (video === 1) await edge.call("DELETE", `/v1/transcriptions/${videoId}`, { key });
    }
    const list = async (query: string) => (await operate("GET", `/jobs${query}`)).json;
    const [first, canceled, all] = [await list("?limit=2"), await list("?status=canceled"), await list("")];
    expect([videos(first), videos(canceled), videos(all)]).toEqual([made.slice(0, 2), made.slice(2), made]);
    expect(videos(await list(`?limit=2&cursor=${first.next_cursor}`))).toEqual(made.slice(2));
    expect((await operate("GET", `/jobs?status=queued&cursor=${first.next_cursor}`)).status).toBe(400);
    expect((await operate("GET", "/jobs?status=lost")).json.error.code).toBe("invalid_query");
  });
});

describe("a creation with an Idempotency-Key", () => {
  const storedRow = z.object({ body: z.instanceof(Buffer), sealed: z.boolean() });
  const stored = (key: string) =>
    edge.context.pool.one(sql.type(storedRow)`select body, sealed from idempotency_key where key = ${key}`);

  it("is replayed byte for byte, with its secret encrypted at rest, also after the master key was rotated", async () => {
    const accountId = await newAccount();
    const create = () => operate("POST", `/accounts/${accountId}/keys`, {}, { "idempotency-key": "one key" });
    const created = await create();
    const { body, sealed } = await stored("one key");
    expect(sealed).toBe(true);
    for (const part of [created.json.key, created.json.key.slice(-16), created.json.api_key.key_id, "svc_sk_"])
      expect(body.includes(part)).toBe(false);
    const [old] = [...masterKeys];
    masterKeys.clear();
    for (const [id, key] of [["new", randomBytes(32)] as const, ...(old === undefined ? [] : [old])])
      masterKeys.set(id, key);
    const replayed = await create();
    expect([replayed.status, replayed.text]).toEqual([201, created.text]);
    expect(replayed.headers.get("idempotency-replayed")).toBe("true");
    expect(await me(replayed.json.key)).toBe(200);
    expect((await operate("GET", `/accounts/${accountId}/keys`)).json.data).toHaveLength(1);
  });

  it("belongs to its internal key", async () => {
    const other = await createInternalKey(edge.context, "other");
    const create = (key: string) =>
      edge.call("POST", "/internal/accounts", {
        key,
        body: { email: "a@example.com", tier: "pro" },
        headers: { "idempotency-key": "account" },
      });
    const answers = [await create(edge.internalKey), await create(other.key), await create(edge.internalKey)];
    expect(answers.map(({ headers }) => headers.get("idempotency-replayed"))).toEqual([null, null, "true"]);
    expect(new Set(answers.map(({ json }) => json.account.account_id)).size).toBe(2);
    const conflict = await operate(
      "POST",
      "/accounts",
      { email: "b@example.com", tier: "pro" },
      { "idempotency-key": "account" },
    );
    expect([conflict.status, conflict.json.error.code]).toEqual([409, "idempotency_conflict"]);
  });

  it("leaves no key behind when it fails", async () => {
    const accountId = await newAccount();
    await edge.context.pool.query(
      sql.unsafe`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    );
    await edge.context.pool.query(
      sql.unsafe`create trigger refuse before insert on idempotency_key for each row execute function refuse()`,
    );
    const failed = await operate("POST", `/accounts/${accountId}/keys`, {}, { "idempotency-key": "fails" });
    await edge.context.pool.query(sql.unsafe`drop trigger refuse on idempotency_key`);
    expect(failed.status).toBe(500);
    expect((await operate("GET", `/accounts/${accountId}/keys`)).json.data).toEqual([]);
  });
});
