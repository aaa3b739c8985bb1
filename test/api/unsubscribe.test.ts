import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { unsubscribeLink } from "../../services/mailSubscriptions/link.ts";
import { testVault } from "../builders/context.ts";
import { createNamedEntity } from "../builders/monitors.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let caller: NewKey;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(() => edge.close());
beforeEach(async () => {
  caller = await edge.newKey();
});

const write = async (method: string, path: string, body: unknown) => {
  const answer = await edge.call(method, path, { key: caller.key, body });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.json;
};
const read = async (path: string) => (await edge.call("GET", path, { key: caller.key })).json;
const create = async (more: object = {}): Promise<string> =>
  (await write("POST", "/v1/monitors", { name: "Press <b>", ...more })).monitor.id;
let names = 0;
const track = async (more: object = {}): Promise<string> => {
  names += 1;
  await createNamedEntity(edge.context, `Watched ${names}`);
  const body = { entityName: `Watched ${names}`, entityType: "person", ...more };
  return (await write("POST", "/v1/trackers", body)).tracker.id;
};
const attach = (monitorId: string, trackerId: string) =>
  write("POST", `/v1/monitors/${monitorId}/trackers`, { trackerIds: [trackerId] });

/** The path of the link in a mail. */
const link = async (mails: { trackerId?: string; monitorId?: string; address: string }) => {
  const { trackerId = "trk_0", monitorId = null, address } = mails;
  return new URL(await unsubscribeLink(edge.context.vault, edge.url, { trackerId, monitorId, address })).pathname;
};
const look = (path: string) => edge.call("GET", path);
/** As a mail client does (RFC 8058). */
const click = (path: string) =>
  edge.call("POST", path, {
    body: "List-Unsubscribe=One-Click",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
const mailOf = async (monitorId: string) => {
  const { monitor } = await read(`/v1/monitors/${monitorId}`);
  return [monitor.notifyEmail, monitor.emailAddresses];
};
const press = ["press@example.com", "desk@example.com"];

describe("looking at the link of a mail", () => {
  it("changes nothing, however often a scanner follows it, and asks on a page that runs and loads nothing", async () => {
    const monitorId = await create({ emailAddresses: press });
    const path = await link({ monitorId, address: "press@example.com" });
    for (const method of ["GET", "HEAD", "GET"]) expect((await edge.call(method, path)).status).toBe(200);
    expect(await mailOf(monitorId)).toEqual([true, press]);
    const { text, headers } = await look(path);
    expect(text).toContain("<strong>Press &lt;b&gt;</strong>");
    expect(text).toContain("<strong>press@example.com</strong>");
    expect(text).toMatch(/<html lang="en">[\s\S]*<title>Stop these mails\? · Media Index<\/title>[\s\S]*<main>\s*<h1>/);
    expect(text).toMatch(/<form method="post"><button type="submit">Stop these mails<\/button><\/form>/);
    expect(text).not.toMatch(/<script|style=|<style/);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect([headers.get("cache-control"), headers.get("referrer-policy")]).toEqual(["no-store", "no-referrer"]);
  });

  it("shows in the address neither whom it was sent to nor what for", async () => {
    const monitorId = await create({ emailAddresses: press });
    const path = await link({ monitorId, address: "press@example.com" });
    const token = path.slice("/unsubscribe/".length);
    expect(Buffer.from(token, "base64url").toString("latin1")).not.toMatch(/press|mon_/);
  });
});

describe("posting to it", () => {
  it("ends the mails to that address only, at once, and again does no harm", async () => {
    const monitorId = await create({ emailAddresses: press });
    const path = await link({ monitorId, address: "press@example.com" });
    const answers = [await click(path), await click(path), await edge.call("POST", path)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const { text } of answers) expect(text).toContain('role="status"');
    expect(await mailOf(monitorId)).toEqual([true, ["desk@example.com"]]);
    expect((await look(path)).text).not.toContain("<form");
    expect((await look(await link({ monitorId, address: "desk@example.com" }))).text).toContain("<form");
  });

  it("of the last address switches mail off, and never turns to the account's own instead", async () => {
    const monitorId = await create({ emailAddresses: ["Press@Example.com"] });
    const trackerId = await track({ notifyEmail: true });
    await attach(monitorId, trackerId);
    await click(await link({ monitorId, trackerId, address: "press@example.com" }));
    expect(await mailOf(monitorId)).toEqual([false, []]);
    expect((await read(`/v1/trackers/${trackerId}`)).tracker.notifyEmail).toBe(false);
  });

  it("of the account's own address switches it off, and only the owner turns it on again", async () => {
    const monitorId = await create();
    const { accountId } = caller;
    const address = await ownAddress(accountId);
    const path = await link({ monitorId, address });
    await click(path);
    expect(await mailOf(monitorId)).toEqual([false, []]);
    await write("PATCH", `/v1/monitors/${monitorId}`, { notifyEmail: true });
    expect((await look(path)).text).toContain("<form");
  });

  it("ends what a tracker mails although its monitor does not", async () => {
    const monitorId = await create({ notifyEmail: false, emailAddresses: press });
    const trackerId = await track({ notifyEmail: true });
    await attach(monitorId, trackerId);
    const path = await link({ monitorId, trackerId, address: "press@example.com" });
    expect((await look(path)).text).toContain("<form");
    await click(path);
    expect(await mailOf(monitorId)).toEqual([false, ["desk@example.com"]]);
    expect((await read(`/v1/trackers/${trackerId}`)).tracker.notifyEmail).toBe(true);
  });

  it("ends the mails of a tracker without a monitor, or of the monitor that it is under by now", async () => {
    const trackerId = await track();
    const address = await ownAddress(caller.accountId);
    const path = await link({ trackerId, address });
    const monitorId = await create();
    await attach(monitorId, trackerId);
    await click(path);
    expect(await mailOf(monitorId)).toEqual([false, []]);
    await edge.call("DELETE", `/v1/monitors/${monitorId}/trackers/${trackerId}`, { key: caller.key });
    expect((await look(path)).text).toContain("<form");
    await click(path);
    expect((await read(`/v1/trackers/${trackerId}`)).tracker.notifyEmail).toBe(false);
    expect((await look(path)).text).not.toContain("<form");
  });

  it("leaves alone who else is mailed by now, and what is gone", async () => {
    const monitorId = await create({ emailAddresses: press });
    await click(await link({ monitorId, address: "stranger@example.com" }));
    expect(await mailOf(monitorId)).toEqual([true, press]);
    await write("DELETE", `/v1/monitors/${monitorId}`, undefined);
    expect((await click(await link({ monitorId, address: "press@example.com" }))).status).toBe(200);
  });

  it("of many receivers at once ends the mails of all of them", async () => {
    const emailAddresses = Array.from({ length: 8 }, (_, n) => `reader${n}@example.com`);
    const monitorId = await create({ emailAddresses });
    await Promise.all(emailAddresses.map(async (address) => click(await link({ monitorId, address }))));
    expect(await mailOf(monitorId)).toEqual([false, []]);
  });
});

describe("a link that this installation did not make", () => {
  it("opens nothing", async () => {
    const monitorId = await create({ emailAddresses: press });
    const mails = { trackerId: "trk_0", monitorId, address: "press@example.com" };
    const path = await link(mails);
    const foreign = new URL(await unsubscribeLink(testVault(), edge.url, mails)).pathname;
    const altered = `${path.slice(0, -3)}${path.endsWith("AAA") ? "BBB" : "AAA"}`;
    for (const wrong of [foreign, altered, path.slice(0, -8), "/unsubscribe/x", `/unsubscribe/${"A".repeat(5000)}`]) {
      for (const answer of [await look(wrong), await click(wrong)]) {
        expect(answer.status).toBe(404);
        expect(answer.headers.get("content-type")).toContain("text/html");
        expect(answer.text).toContain("This link is not valid");
      }
    }
    expect(await mailOf(monitorId)).toEqual([true, press]);
    const wrongMethod = await edge.call("PUT", path);
    expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });
});

it("the log says that a link was followed, never which", async () => {
  const monitorId = await create({ emailAddresses: press });
  const path = await link({ monitorId, address: "press@example.com" });
  await look(path);
  await click(path);
  const routes = edge.log.map(({ route }) => route);
  expect(routes).toEqual(expect.arrayContaining(["askUnsubscribe", "unsubscribe"]));
  expect(JSON.stringify(edge.log)).not.toContain(path.slice("/unsubscribe/".length));
  expect(JSON.stringify(edge.log)).not.toContain("press@example.com");
});

async function ownAddress(accountId: string): Promise<string> {
  const answer = await edge.call("GET", `/internal/accounts/${accountId}`, { key: edge.internalKey });
  return answer.json.account.email;
}
