import { afterEach, describe, expect, it } from "@jest/globals";
import { createSlackChat } from "../../adapters/chat/slack.ts";
import { createSafeFetch } from "../../adapters/http/safeFetch.ts";
import { anyFreePort } from "../../adapters/ports.ts";
import { alertChatMessage } from "../../domain/delivery/alertChat.ts";
import { publicOnly } from "../builders/context.ts";
import { loopbackToo, type Receiver, type ReceiverAnswer, startReceiver } from "../builders/receiver.ts";

const message = alertChatMessage({
  eventId: "evt_1",
  kind: "mention",
  entityName: "Ada",
  label: "Ada <3",
  monitorName: "Pioneers",
  videoTitle: "Early machines",
  channelName: "History Hour",
  momentUrl: "https://video.example/watch?v=1&t=65s",
  startSeconds: 65,
  quote: "東京 & Ada",
  mentionCount: 2,
});
const token = "xoxb-12345-secret";

const receivers: Receiver[] = [];
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});
const answering = async (answer: ReceiverAnswer | null) => {
  const receiver = await startReceiver(() => answer);
  receivers.push(receiver);
  return receiver;
};
const chat = (apiUrl: string, more: { timeoutSeconds?: number } = {}) =>
  createSlackChat({
    http: createSafeFetch({ policy: loopbackToo }),
    apiUrl,
    timeoutSeconds: 5,
    clock: () => new Date("2026-03-01T00:00:00Z"),
    ...more,
  });
const post = async (answer: ReceiverAnswer | null) => {
  const receiver = await answering(answer);
  const url = `${receiver.url}/services/T0/B0/secretpath`;
  return { receiver, outcome: await chat("https://slack.invalid/api").send({ kind: "slack-webhook", url }, message) };
};
const write = async (answer: ReceiverAnswer | null) => {
  const receiver = await answering(answer);
  const target = { kind: "slack-bot", token, channelId: "C01" } as const;
  return { receiver, outcome: await chat(`${receiver.url}/api`).send(target, message) };
};
const api = (body: object, more: ReceiverAnswer = {}) => ({ body: JSON.stringify(body), ...more });

describe("an incoming webhook", () => {
  it("is posted the message as JSON, and takes it with 200 and ok", async () => {
    const { receiver, outcome } = await post({});
    expect(outcome).toEqual({
      outcome: { kind: "succeeded" },
      responseStatus: 200,
      responseExcerpt: "ok",
      error: null,
    });
    expect(receiver.received).toHaveLength(1);
    const [{ path, headers, body } = { path: "", headers: {}, body: "" }] = receiver.received;
    expect([path, headers["content-type"], headers.authorization]).toEqual([
      "/services/T0/B0/secretpath",
      "application/json; charset=utf-8",
      undefined,
    ]);
    expect(JSON.parse(body)).toEqual(message);
  });

  const lasting = { kind: "refused" };
  const passing = { kind: "failed", retryAfterSeconds: null };
  it.each([
    [400, "invalid_payload", lasting],
    [403, "action_prohibited", lasting],
    [404, "no_service", lasting],
    [410, "channel_is_archived", lasting],
    [302, "found", passing],
    [408, "timeout", passing],
    [500, "rollup_error", passing],
    [503, "unavailable", passing],
  ])("a %i %s is %j", async (status, body, outcome) => {
    expect((await post({ status, body })).outcome).toEqual({
      outcome,
      responseStatus: status,
      responseExcerpt: body,
      error: null,
    });
  });

  it("is waited for as Retry-After says, in seconds or until a date", async () => {
    const waits = async (value: string) =>
      (await post({ status: 429, headers: { "retry-after": value } })).outcome.outcome;
    expect(await waits("30")).toEqual({ kind: "failed", retryAfterSeconds: 30 });
    expect(await waits("Sun, 01 Mar 2026 00:02:00 GMT")).toEqual({ kind: "failed", retryAfterSeconds: 120 });
  });

  it("that refuses in the manner of the Web API, with a status of 200, has not taken it", async () => {
    const { outcome } = await post(api({ ok: false, error: "invalid_token_format" }));
    expect(outcome).toMatchObject({ outcome: { kind: "failed" }, error: "refused" });
  });

  it("never has its address, or what else it says, kept", async () => {
    const { outcome } = await post({ status: 404, body: "Cannot POST /services/T0/B0/secretpath" });
    expect(outcome).toEqual({ outcome: { kind: "refused" }, responseStatus: 404, responseExcerpt: null, error: null });
  });
});

describe("a bot", () => {
  it("writes to its channel through chat.postMessage, with its token in the header", async () => {
    const { receiver, outcome } = await write(api({ ok: true, channel: "C01", ts: "1.2", message: { text: token } }));
    expect(outcome).toEqual({
      outcome: { kind: "succeeded" },
      responseStatus: 200,
      responseExcerpt: "ok",
      error: null,
    });
    const [{ path, headers, body } = { path: "", headers: {}, body: "" }] = receiver.received;
    expect([path, headers.authorization]).toEqual(["/api/chat.postMessage", `Bearer ${token}`]);
    expect(JSON.parse(body)).toEqual({ channel: "C01", ...message, unfurl_links: false });
    expect(body).not.toContain(token);
  });

  it.each(["invalid_auth", "token_revoked", "account_inactive", "missing_scope", "msg_too_long"])(
    "is refused for good with %s",
    async (error) => {
      expect((await write(api({ ok: false, error }))).outcome).toEqual({
        outcome: { kind: "refused" },
        responseStatus: 200,
        responseExcerpt: error,
        error: "refused",
      });
    },
  );

  it.each(["not_in_channel", "channel_not_found", "is_archived", "internal_error", "something_new"])(
    "is tried again after %s, which may pass or be mended",
    async (error) => {
      expect((await write(api({ ok: false, error }))).outcome).toMatchObject({
        outcome: { kind: "failed", retryAfterSeconds: null },
        responseExcerpt: error,
      });
    },
  );

  it("waits as long as it is told to when it writes too much", async () => {
    const limited = api({ ok: false, error: "ratelimited" }, { status: 429, headers: { "retry-after": "17" } });
    expect((await write(limited)).outcome).toMatchObject({
      outcome: { kind: "failed", retryAfterSeconds: 17 },
      responseStatus: 429,
    });
  });

  it.each([
    ["a page instead of an answer", { body: "<html>sign in</html>" }, 200, "broken"],
    ["an answer without a verdict", api({ error: "no" }), 200, "broken"],
    ["a failure of the server", { status: 502, body: "bad gateway" }, 502, null],
  ])("takes %s for a failure that may pass", async (_what, answer, status, error) => {
    expect((await write(answer)).outcome).toEqual({
      outcome: { kind: "failed", retryAfterSeconds: null },
      responseStatus: status,
      responseExcerpt: null,
      error,
    });
  });

  it("never has what a server says of its token kept", async () => {
    const { outcome } = await write(api({ ok: false, error: `bad token ${token}` }));
    expect(JSON.stringify(outcome)).not.toContain("secret");
  });
});

describe("where no answer comes", () => {
  it.each([
    ["a chat that is away", async () => `http://127.0.0.1:${await anyFreePort()}/`, "unreachable"],
    ["a chat that says nothing", async () => (await answering(null)).url, "timeout"],
  ])("%s is tried again", async (_what, url, error) => {
    const quick = chat("https://slack.invalid/api", { timeoutSeconds: 0.3 });
    expect(await quick.send({ kind: "slack-webhook", url: await url() }, message)).toEqual({
      outcome: { kind: "failed", retryAfterSeconds: null },
      responseStatus: null,
      responseExcerpt: null,
      error,
    });
  });

  it("an address that is not public is not called", async () => {
    const receiver = await answering({});
    const guarded = createSlackChat({
      http: createSafeFetch({ policy: publicOnly }),
      apiUrl: receiver.url,
      timeoutSeconds: 5,
      clock: () => new Date(),
    });
    for (const target of [
      { kind: "slack-webhook", url: receiver.url },
      { kind: "slack-bot", token, channelId: "C01" },
    ] as const)
      expect(await guarded.send(target, message)).toMatchObject({ error: "refused_target", responseStatus: null });
    expect(receiver.received).toEqual([]);
  });
});
