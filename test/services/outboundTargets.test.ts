import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createSlackChat } from "../../adapters/chat/slack.ts";
import { createSafeFetch, type ResolveName } from "../../adapters/http/safeFetch.ts";
import { listAttempts } from "../../database/alerts.ts";
import { type OutboundPolicy, parseAddressRanges } from "../../domain/outboundAddresses.ts";
import { beginAlert } from "../../services/alerts/begin.ts";
import { connectChat } from "../../services/chat/connect.ts";
import { createTestParts, createWatch, fireAlert, type TestParts } from "../builders/alerts.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { type Receiver, type ReceiverAnswer, startReceiver } from "../builders/receiver.ts";

const ranges = (text: string): OutboundPolicy => ({
  allowedRanges: parseAddressRanges(text) ?? [],
  requireHttps: false,
});
/** What the site lets its users reach: one of its addresses, not the other. */
const policy = ranges("127.0.0.2/32");
/** What it let them write down before it was narrowed. */
const everything = ranges("0.0.0.0/0,::/0");

let context: TestContext;
let allowed: Receiver;
let forbidden: Receiver;
let answer: ReceiverAnswer;
let lookUps: string[];
let addresses: string[];
beforeAll(async () => {
  context = await createTestContext({ outbound: policy, settings: { alerts: { attemptTimeoutSeconds: 5 } } });
  [allowed, forbidden] = await Promise.all([startReceiver(() => answer, "127.0.0.2"), startReceiver()]);
});
afterAll(async () => {
  await Promise.all([allowed?.close(), forbidden?.close()]);
  await context?.close();
});
beforeEach(() => {
  answer = {};
  lookUps = [];
  addresses = [];
  allowed.received.length = 0;
  forbidden.received.length = 0;
});

/** A name's next address each time that it is asked for. */
const resolveName: ResolveName = (name, _options, done) => {
  lookUps.push(name);
  const address = addresses[Math.min(lookUps.length, addresses.length) - 1] ?? "";
  done(null, [{ address, family: 4 }]);
};

function realParts(): TestParts {
  const http = createSafeFetch({ policy, resolveName });
  const chat = createSlackChat({ http, apiUrl: "https://slack.invalid/api", timeoutSeconds: 5, clock: context.clock });
  return { ...createTestParts(context), http, chat };
}

/** The attempt of an alert that goes to the address, on that channel alone. */
async function attemptAt(channel: "webhook" | "chat", url: string) {
  const lenient = { ...context, outbound: everything };
  const caller = await createCaller(context);
  const chosen =
    channel === "webhook"
      ? { notifyWebhook: true, webhookUrl: url }
      : { notifyChat: true, chatIntegrationId: await connect(url, caller.accountId) };
  const watch = await createWatch(lenient, caller, { notifyEmail: false, ...chosen });
  await beginAlert(context, realParts(), await fireAlert(context, watch));
  const [attempt] = await listAttempts(context.pool, watch.monitorId, { limit: 1, after: null });
  return attempt;
}

async function connect(url: string, accountId: string): Promise<string> {
  const lenient = { ...context, outbound: everything };
  return (await connectChat(lenient, { accountId, kind: "slack-webhook", name: "Chat", secret: url }))
    .chatIntegrationId;
}

const portOf = (receiver: Receiver) => new URL(receiver.url).port;

describe.each(["webhook", "chat"] as const)("%s", (channel) => {
  it("reaches what may be reached", async () => {
    answer = { body: "ok" };
    expect(await attemptAt(channel, allowed.url)).toMatchObject({ outcome: "succeeded" });
    addresses = ["127.0.0.2"];
    const named = `http://receiver.example:${portOf(allowed)}/`;
    expect(await attemptAt(channel, named)).toMatchObject({ outcome: "succeeded" });
    expect(allowed.received).toHaveLength(2);
  });

  it.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "localhost",
    "127.0.0.1.",
    "１２７.0.0.1",
  ])("does not reach %s", async (host) => {
    addresses = ["127.0.0.1"];
    const attempt = await attemptAt(channel, `http://${host}:${portOf(forbidden)}/`);
    expect(attempt).toMatchObject({ outcome: "failed", errorKind: "refused_target", responseStatus: null });
    expect(forbidden.received).toEqual([]);
  });

  it("does not reach a name that leads where nothing may be sent", async () => {
    addresses = ["127.0.0.1"];
    const attempt = await attemptAt(channel, `http://receiver.example:${portOf(forbidden)}/`);
    expect(attempt).toMatchObject({ errorKind: "refused_target" });
    expect([lookUps, forbidden.received]).toEqual([["receiver.example"], []]);
  });

  it("connects to the address that was checked: a name that is bound anew meanwhile leads nowhere else", async () => {
    addresses = ["127.0.0.2", "127.0.0.1"];
    // Nobody listens at this port of the first address.
    const attempt = await attemptAt(channel, `http://receiver.example:${portOf(forbidden)}/`);
    expect(attempt).toMatchObject({ outcome: "failed", errorKind: "unreachable" });
    expect([lookUps, forbidden.received]).toEqual([["receiver.example"], []]);
  });

  it.each([301, 302, 303, 307, 308])("does not follow a redirect with %i", async (status) => {
    answer = { status, headers: { location: forbidden.url } };
    expect(await attemptAt(channel, allowed.url)).toMatchObject({ outcome: "failed", responseStatus: status });
    expect([allowed.received.length, forbidden.received]).toEqual([1, []]);
  });
});
