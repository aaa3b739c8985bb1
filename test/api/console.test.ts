import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { createInternalKey } from "../../services/keys/createKey.ts";
import { setKeyState } from "../../services/keys/setKeyState.ts";
import { createVisitor, type Visitor } from "./consoleVisitor.ts";
import { type Edge, startEdge } from "./edge.ts";

let now = new Date();
let edge: Edge;
let visitor: Visitor;
beforeAll(async () => {
  edge = await startEdge({
    clock: () => now,
    trustedProxies: 1,
    settings: { rateLimitPerMinute: { enterprise: 100_000 } },
  });
});
afterAll(() => edge.close());
beforeEach(() => {
  now = new Date();
  visitor = createVisitor(edge);
});

const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
const from = (address: string) => ({ "x-forwarded-for": address });
const sections = ["reviews", "jobs", "monitors", "accounts"];

/** What answers a sign-in, without following it. */
const knock = (key: string, headers: Record<string, string> = {}, more: Record<string, string> = {}) =>
  edge.call("POST", "/console/sign-in", {
    headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": "203.0.113.9", ...headers },
    body: new URLSearchParams({ key, ...more }).toString(),
  });

describe("signing in", () => {
  it("takes a live internal key, and leads to the page that was asked for", async () => {
    const asked = await visitor.get("/console/reviews?status=any");
    expect([asked.status, asked.title]).toEqual([200, "Sign in"]);
    const page = await visitor.press(asked, "Sign in", { key: ` ${edge.internalKey} ` });
    expect([page.status, page.title, page.path]).toEqual([200, "Reviews", "/console/reviews?status=any"]);
    for (const path of ["/console", "/console/", "/console/sign-in"])
      expect((await visitor.get(path)).title).toBe("Reviews");
    for (const section of sections) expect((await visitor.get(`/console/${section}`)).status).toBe(200);
  });

  it("leads nowhere but to the console", async () => {
    for (const to of [
      "https://example.com/console/x",
      "//example.com/console/",
      "/v1/x",
      "/console/../docs",
      "\\\\a",
      "",
    ]) {
      const { status, headers } = await knock(edge.internalKey, {}, { to });
      expect([to, status, headers.get("location")]).toEqual([to, 303, "/console/reviews"]);
    }
  });

  it("takes no other key, and says no more than that", async () => {
    const { key: account } = await edge.newKey();
    const disabled = await createInternalKey(edge.context, "disabled");
    await setKeyState(edge.context, disabled.keyId, "disabled");
    const unknown = `svc_int_${"0".repeat(64)}`;
    for (const key of [account, disabled.key, unknown, "svc_int_", "", "x".repeat(10_000)]) {
      const { status, headers, text } = await knock(key, { "x-forwarded-for": "203.0.113.1" });
      expect([status, headers.getSetCookie()]).toEqual([401, []]);
      expect(text).toContain("This is no live internal key.");
      expect(text.replace("It begins with svc_int_", "")).not.toContain(key || "no key");
    }
  });

  it("makes an address wait that fails too often, whatever key it comes with then", async () => {
    const tries = await Promise.all(Array.from({ length: 15 }, () => knock("wrong", from("198.51.100.7"))));
    const statuses = tries.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(5).fill(429)]);
    const right = await knock(edge.internalKey, from("198.51.100.7"));
    expect([right.status, right.headers.getSetCookie()]).toEqual([429, []]);
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(50);
    for (let n = 0; n < 11; n += 1) expect((await knock(edge.internalKey, from("198.51.100.8"))).status).toBe(303);
    now = new Date(now.getTime() + 60_000);
    expect((await knock(edge.internalKey, from("198.51.100.7"))).status).toBe(303);
  });

  it("refuses a form that another site sent, so that nobody is signed in as somebody else", async () => {
    const foreign = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://example.com" },
      { origin: "null" },
    ];
    for (const headers of foreign) {
      const answer = await knock(edge.internalKey, headers);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    }
    for (const headers of [
      { origin: edge.url },
      { "sec-fetch-site": "same-origin", origin: "https://behind.example" },
      {},
    ])
      expect((await knock(edge.internalKey, headers)).status).toBe(303);
  });
});

describe("the session", () => {
  it("is a cookie out of reach of scripts and other sites, over https bound to its host", async () => {
    const [cookie = ""] = (await knock(edge.internalKey)).headers.getSetCookie();
    const [pair = "", ...attributes] = cookie.split("; ");
    expect(pair).toMatch(/^console_session=[\w-]{43}$/);
    expect(attributes.filter((each) => !each.startsWith("Expires")).toSorted()).toEqual([
      "HttpOnly",
      "Max-Age=43200",
      "Path=/console",
      "SameSite=Strict",
    ]);
    const secure = await startEdge({ publicUrl: "https://media.example" });
    const [bound = ""] = (
      await secure.call("POST", "/console/sign-in", {
        headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://media.example" },
        body: `key=${secure.internalKey}`,
      })
    ).headers.getSetCookie();
    expect(bound).toMatch(/^__Host-console_session=[\w-]{43}; /);
    expect(bound.split("; ")).toEqual(expect.arrayContaining(["HttpOnly", "Path=/", "SameSite=Strict", "Secure"]));
    expect(bound).not.toContain("Domain");
    await secure.close();
  });

  it("is kept as a hash only, and neither it nor the key is in the log or on a page", async () => {
    const page = await visitor.signIn();
    const token = visitor.cookie().split("=")[1] ?? "";
    const rows = await edge.context.pool.anyFirst(sql.type(z.object({ row: z.string() }))`
      select console_session::text as row from console_session`);
    expect(rows.length).toBeGreaterThan(0);
    const everything = JSON.stringify([rows, edge.log, page.text, (await visitor.get("/console/accounts")).text]);
    for (const secret of [token, Buffer.from(token).toString("hex"), edge.internalKey])
      expect(everything).not.toContain(secret);
    expect(edge.log.findLast(({ route }) => route === "consoleReviews")).toMatchObject({
      keyId: expect.stringMatching(/^key_/),
    });
  });

  it("ends with signing out, for every copy of the cookie", async () => {
    const page = await visitor.signIn();
    const cookie = visitor.cookie();
    expect((await visitor.press(page, "Sign out")).title).toBe("Sign in");
    visitor.takeCookie(cookie);
    expect((await visitor.get("/console/reviews")).title).toBe("Sign in");
    expect((await visitor.post("/console/sign-out")).title).toBe("Sign in");
  });

  it("ends when its key is disabled or expires, at the next request", async () => {
    const { key, keyId } = await createInternalKey(edge.context, "shift");
    expect((await visitor.signIn(key)).title).toBe("Reviews");
    await setKeyState(edge.context, keyId, "disabled");
    expect((await visitor.get("/console/reviews")).title).toBe("Sign in");
    await setKeyState(edge.context, keyId, "active");
    expect((await visitor.get("/console/reviews")).title).toBe("Reviews");
    await edge.context.pool.query(
      sql.typeAlias("void")`update api_key set expires_at = '2020-01-01Z' where id = ${keyId}`,
    );
    expect((await visitor.get("/console/reviews")).title).toBe("Sign in");
  });

  it("ends after twelve hours, or two without use, and is forgotten then", async () => {
    await visitor.signIn();
    for (let hour = 0; hour < 11; hour += 1) {
      now = hours(1);
      expect((await visitor.get("/console/reviews")).title).toBe("Reviews");
    }
    now = hours(1.1);
    expect((await visitor.get("/console/reviews")).title).toBe("Sign in");
    await visitor.signIn();
    now = hours(2.1);
    expect((await visitor.get("/console/reviews")).title).toBe("Sign in");
    await visitor.signIn();
    const sessions = await edge.context.pool.oneFirst(sql.type(z.object({ count: z.bigint() }))`
      select count(*) from console_session`);
    expect(sessions).toBe(1n);
  });

  it("opens to links from elsewhere, with which browsers do not send its cookie, by way of a page of its own", async () => {
    const arrived = await edge.call("GET", "/console/reviews?status=any", {
      headers: { "sec-fetch-site": "cross-site" },
    });
    const [, onward = ""] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(arrived.text) ?? [];
    await visitor.signIn();
    expect((await visitor.get(onward)).path).toBe("/console/reviews?status=any");
  });

  it("that is over says so to a form, and did nothing", async () => {
    const { status, title, says } = await visitor.post("/console/reviews/1/steps", { action: "accept" });
    expect([status, title]).toEqual([401, "Signed out"]);
    expect(says).toContain("nothing was done");
    const { headers } = await edge.call("GET", "/console/reviews/7?x=1");
    expect(headers.get("location")).toBe("/console/sign-in?to=%2Fconsole%2Freviews%2F7%3Fx%3D1");
  });
});

describe("a form", () => {
  it("is only taken from a page of the same session", async () => {
    const page = await visitor.signIn();
    const other = createVisitor(edge);
    const { fields } = (await other.signIn()).pressed("Sign out");
    const stranger = fields.get("csrf") ?? "";
    for (const csrf of [undefined, "", "x", stranger]) {
      const answer = await visitor.post("/console/sign-out", csrf === undefined ? {} : { csrf });
      expect([answer.status, answer.title]).toEqual([403, "Not taken"]);
    }
    const { fields: own } = page.pressed("Sign out");
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://example.com" }, { origin: "null" }]) {
      const answer = await edge.call("POST", "/console/sign-out", {
        headers: { ...headers, cookie: visitor.cookie(), "content-type": "application/x-www-form-urlencoded" },
        body: own.toString(),
      });
      expect(answer.status).toBe(403);
    }
    expect((await visitor.get("/console/reviews")).title).toBe("Reviews");
  });

  it("is a form: other bodies, and large ones, are refused with a page", async () => {
    await visitor.signIn();
    const send = (type: string, body: string) =>
      edge.call("POST", "/console/reviews/1/steps", {
        headers: { cookie: visitor.cookie(), "content-type": type },
        body,
      });
    const form = "application/x-www-form-urlencoded";
    expect((await send("application/json", "{}")).status).toBe(415);
    expect((await send("text/plain", "csrf=x")).status).toBe(415);
    const large = await send(form, `csrf=${"x".repeat(1_100_000)}`);
    expect([large.status, large.headers.get("content-type")]).toEqual([413, "text/html; charset=utf-8"]);
  });
});

describe("every page", () => {
  it("runs and loads nothing but the console's own files, is kept nowhere, and is shown in no frame", async () => {
    await visitor.signIn();
    for (const path of ["/console/reviews", "/console/reviews/999", "/console/nowhere", "/console/reviews?status=x"]) {
      const { headers, text } = await visitor.get(path);
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(
        ["cache-control", "referrer-policy", "x-content-type-options", "cross-origin-opener-policy"].map((name) =>
          headers.get(name),
        ),
      ).toEqual(["no-store", "same-origin", "nosniff", "same-origin"]);
      expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(text).not.toMatch(
        /<style|\sstyle=|\son\w+=|<script(?! src="\/console\/assets\/console\.js\?v=[\w-]+" defer><\/script>)/,
      );
    }
  });

  it("names its files by what is in them, and those are open to everybody", async () => {
    const { text } = await visitor.get("/console/sign-in");
    const addresses = [...text.matchAll(/\/console\/assets\/[^"]+/g)].map(([address]) => address);
    expect(addresses).toHaveLength(2);
    for (const address of addresses) {
      const asset = await edge.call("GET", address);
      expect([asset.status, asset.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
      expect(asset.headers.get("content-type")).toMatch(/^text\/(css|javascript)/);
      const stale = await edge.call("GET", address.replace(/v=.*/, "v=older"));
      expect([stale.status, stale.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    }
    for (const name of ["x", "..%2frouter.ts", "constructor"])
      expect((await edge.call("GET", `/console/assets/${name}`)).status).toBe(404);
  });

  it("that is not there or not asked for rightly says what to do", async () => {
    await visitor.signIn();
    expect((await visitor.get("/console/nowhere")).status).toBe(404);
    for (const path of ["/console/reviews/x", "/console/reviews/%zz", "/console/assets/%ff", "/console/%c3%28"])
      expect((await visitor.get(path)).title).toBe("Not found");
    expect((await visitor.post("/console/reviews")).status).toBe(404);
    const wrong = await visitor.get("/console/reviews?status=unheard&colour=red&key=%00");
    expect([wrong.status, wrong.title]).toEqual([400, "That does not fit"]);
    const { says } = await visitor.get("/console/reviews?status=unheard&colour=red");
    expect(says).toMatch(/“status” is not valid.*“colour” is not known/);
  });

  it("says of a failure only by which id the log knows it", async () => {
    const broken = await startEdge();
    const unlucky = createVisitor(broken);
    await unlucky.signIn();
    await broken.context.pool.query(sql.typeAlias("void")`drop table feedback cascade`);
    const { status, title, says, headers } = await unlucky.get("/console/reviews");
    expect([status, title]).toEqual([500, "Something went wrong"]);
    expect(says).toContain(headers.get("x-request-id") ?? "");
    expect(says).not.toMatch(/relation|feedback"/);
    expect(broken.log.at(-1)).toMatchObject({ route: "consoleReviews", status: 500, code: "internal_error" });
    await broken.close();
  });
});
