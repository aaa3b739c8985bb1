import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { listAlerts, listAttempts } from "../../database/alerts.ts";
import { enableWebhook, readMonitor } from "../../database/monitors.ts";
import { sql } from "../../database/pool.ts";
import { insertDeliveries } from "../../database/redeliveries.ts";
import { MailFailure } from "../../domain/delivery/mail.ts";
import { newId } from "../../domain/ids.ts";
import { attemptDelivery } from "../../services/alerts/attemptDelivery.ts";
import { beginAlert } from "../../services/alerts/begin.ts";
import { sendNotice } from "../../services/alerts/sendNotice.ts";
import type { Caller } from "../../services/context.ts";
import { createTestParts, createWatch, fireAlert, fireAlerts, type TestParts, type Watch } from "../builders/alerts.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { loopbackToo, type Receiver, type ReceiverAnswer, startReceiver } from "../builders/receiver.ts";

const minute = 60_000;
let context: TestContext;
let receiver: Receiver;
let answer: ReceiverAnswer | null;
let now: number;
let caller: Caller;
let parts: TestParts;
let watch: Watch;
beforeAll(async () => {
  context = await createTestContext({
    outbound: loopbackToo,
    clock: () => new Date(now),
    connections: 20,
    settings: { alerts: { attemptTimeoutSeconds: 1 } },
  });
  receiver = await startReceiver(() => answer);
});
afterAll(async () => {
  await receiver?.close();
  await context?.close();
});
beforeEach(async () => {
  now = Date.now();
  answer = { status: 500, body: "broken\0here" };
  receiver.received.length = 0;
  parts = createTestParts(context);
  caller = await createCaller(context);
  watch = await createWatch(context, caller, {
    notifyEmail: false,
    notifyWebhook: true,
    webhookUrl: `${receiver.url}/hook`,
  });
});

const monitor = async () => {
  const found = await readMonitor(context.pool, caller.accountId, watch.monitorId);
  if (found === null) throw new Error("the monitor is gone");
  return found;
};
const begin = async (alertId: string) => {
  const begun = await beginAlert(context, parts, alertId);
  const [delivery] = begun.kind === "begun" ? begun.deliveries : [];
  if (delivery === undefined) throw new Error("nothing was tried");
  return delivery;
};
const again = (deliveryId: string, number: number) => attemptDelivery(context, parts, { deliveryId, number });
/** Points the webhook there, and says how the attempt failed. */
const failAt = async (url: string) => {
  await context.pool.query(
    sql.typeAlias("void")`update monitor set webhook_url = ${url} where id = ${watch.monitorId}`,
  );
  await begin(await fireAlert(context, watch));
  return (await attemptsOf())[0]?.errorKind;
};
/** Lets so many first attempts fail at once. */
const failTogether = async (times: number) => {
  const alertIds = await fireAlerts(context, watch, times);
  return Promise.all(alertIds.map(begin));
};
const alertOf = async () => (await listAlerts(context.pool, watch.monitorId, { limit: 1, after: null }))[0];
const attemptsOf = () => listAttempts(context.pool, watch.monitorId, { limit: 100, after: null });
const notices = () =>
  context.pool.any(sql.type(z.object({ id: z.string(), consequence: z.string(), failures: z.number() }))`
    select id, consequence, failures from webhook_notice where monitor_id = ${watch.monitorId} order by id`);

describe("an attempt that fails", () => {
  it("is followed by another after the pause; the log says what was answered", async () => {
    const first = await begin(await fireAlert(context, watch));
    expect(first).toMatchObject({
      status: "pending",
      attempts: 1,
      nextAttemptSeconds: 5,
      reason: "the answer was 500",
    });
    expect(await attemptsOf()).toMatchObject([
      { outcome: "failed", responseStatus: 500, responseExcerpt: "broken\uFFFDhere", errorKind: null },
    ]);
    expect(await again(first.deliveryId, 2)).toMatchObject({ attempts: 2, nextAttemptSeconds: 300 });
    answer = {};
    expect(await again(first.deliveryId, 3)).toMatchObject({
      status: "succeeded",
      attempts: 3,
      nextAttemptSeconds: null,
    });
    expect((await alertOf())?.status).toBe("delivered");
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  it.each([
    ["60", 10],
    ["8", 8],
    ["1", 5],
    ["soon", 5],
  ])("Retry-After: %s after the first attempt → %d s", async (retryAfter, seconds) => {
    answer = { status: 503, headers: { "retry-after": retryAfter } };
    expect(await begin(await fireAlert(context, watch))).toMatchObject({ nextAttemptSeconds: seconds });
  });

  it("made twice under one number, is written once", async () => {
    const first = await begin(await fireAlert(context, watch));
    await Promise.all([again(first.deliveryId, 2), again(first.deliveryId, 2), again(first.deliveryId, 2)]);
    expect(await again(first.deliveryId, 2)).toMatchObject({ attempts: 2, nextAttemptSeconds: 300 });
    expect((await attemptsOf()).map(({ number }) => number)).toEqual([2, 1]);
    expect((await monitor()).webhookFailureCount).toBe(2);
  });

  it.each([
    ["a redirect is not followed", { status: 302, headers: { location: "/elsewhere" } }, 302, null],
    ["no answer in time", null, null, "timeout"],
  ] as const)("%s", async (_, told, responseStatus, errorKind) => {
    answer = told;
    await begin(await fireAlert(context, watch));
    expect(await attemptsOf()).toMatchObject([{ outcome: "failed", responseStatus, errorKind }]);
    expect(receiver.received).toHaveLength(1);
  });

  it("nobody listens, or the address leads where nothing may be sent", async () => {
    expect(await failAt("http://127.0.0.1:1/")).toBe("unreachable");
    expect(await failAt("http://10.0.0.1/")).toBe("refused_target");
  });

  it("the last one: given up, and the alert has failed", async () => {
    const { deliveryId } = await begin(await fireAlert(context, watch));
    for (let number = 2; number <= 9; number += 1) await again(deliveryId, number);
    expect((await alertOf())?.status).toBe("pending");
    expect(await again(deliveryId, 10)).toMatchObject({
      status: "failed",
      attempts: 10,
      nextAttemptSeconds: null,
      reason: "attempts_exhausted",
    });
    expect((await alertOf())?.status).toBe("failed");
  });
});

describe("what counts", () => {
  it("many failures at once are all counted; the owner is warned once, at ten", async () => {
    await failTogether(30);
    expect(await monitor()).toMatchObject({ webhookFailureCount: 30, webhookDisabledAt: null });
    expect(await notices()).toMatchObject([{ consequence: "warn", failures: 10 }]);
  });

  it("a success clears them", async () => {
    await failTogether(5);
    answer = {};
    await begin(await fireAlert(context, watch));
    expect((await monitor()).webhookFailureCount).toBe(0);
  });

  it("failures of attempts begun before the webhook was enabled again do not", async () => {
    const [alertId = ""] = await fireAlerts(context, watch);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { http } = parts;
    parts.http = {
      request: async (asked) => {
        const answered = await http.request(asked);
        await held;
        return answered;
      },
    };
    const attempt = begin(alertId);
    while (receiver.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    now += 1000;
    await enableWebhook(context.pool, watch.monitorId, new Date(now));
    release();
    expect(await attempt).toMatchObject({ status: "pending", attempts: 1 });
    expect((await monitor()).webhookFailureCount).toBe(0);
  });

  it("a tracker's own address is nobody else's", async () => {
    await context.pool.query(sql.typeAlias("void")`
      update tracker set webhook_url = ${`${receiver.url}/own`} where id = ${watch.trackerId}`);
    answer = { status: 410 };
    await begin(await fireAlert(context, watch));
    expect(await monitor()).toMatchObject({ webhookFailureCount: 0, webhookDisabledAt: null });
  });

  it("test sends do not, not even a 410", async () => {
    const test = { deliveryId: newId("delivery"), alertId: null, eventId: newId("event") };
    const of = { accountId: caller.accountId, monitorId: watch.monitorId, purpose: "test", at: new Date(now) } as const;
    await insertDeliveries(context.pool, of, [test], 0);
    answer = { status: 410 };
    expect(await again(test.deliveryId, 1)).toMatchObject({ status: "failed", attempts: 1, nextAttemptSeconds: null });
    expect(await monitor()).toMatchObject({ webhookFailureCount: 0, webhookDisabledAt: null });
    expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({ type: "webhook.test", id: test.eventId });
  });
});

describe("auto-disable", () => {
  it("twenty failures, but of less than an hour: not yet; the next one after it: at once", async () => {
    const waiting = await failTogether(25);
    expect((await monitor()).webhookDisabledAt).toBeNull();
    now += 61 * minute;
    await begin(await fireAlert(context, watch));
    expect(await monitor()).toMatchObject({ webhookFailureCount: 26, webhookDisabledReason: "failures" });
    expect(await notices()).toMatchObject([{ consequence: "warn" }, { consequence: "disable", failures: 26 }]);
    expect(waiting).toHaveLength(25);
  });

  it("what waits for another attempt stops, as skipped, and its alert is over", async () => {
    const first = await begin(await fireAlert(context, watch));
    answer = { status: 410 };
    const second = await begin(await fireAlert(context, watch));
    expect(second).toMatchObject({ status: "failed", reason: "gone" });
    expect(await monitor()).toMatchObject({ webhookDisabledReason: "gone" });
    const alerts = await listAlerts(context.pool, watch.monitorId, { limit: 10, after: null });
    expect(alerts.map(({ status, deliveries }) => [status, deliveries[0]?.status, deliveries[0]?.attempts])).toEqual([
      ["failed", "failed", 1],
      ["failed", "skipped", 1],
    ]);
    expect((await attemptsOf()).filter(({ deliveryId }) => deliveryId === first.deliveryId)).toMatchObject([
      { number: 2, outcome: "skipped", errorKind: "webhook_disabled" },
      { number: 1, outcome: "failed" },
    ]);
    const sent = receiver.received.length;
    expect(await again(first.deliveryId, 2)).toMatchObject({ status: "skipped", nextAttemptSeconds: null });
    expect(receiver.received).toHaveLength(sent);
  });

  it("many at once disable it once, and tell once", async () => {
    const due = await failTogether(19);
    now += 61 * minute;
    const [last] = await failTogether(12);
    expect((await notices()).map(({ consequence }) => consequence)).toEqual(["warn", "disable"]);
    // What is due by now may be under way, and finds out itself.
    for (const { deliveryId } of due) expect(await again(deliveryId, 2)).toMatchObject({ status: "skipped" });
    expect(await again(last?.deliveryId ?? "", 2)).toMatchObject({ status: "skipped" });
    const left = await context.pool.anyFirst(sql.type(z.object({ status: z.string() }))`
      select distinct status from alert_delivery where monitor_id = ${watch.monitorId}`);
    expect(left).toEqual(["skipped"]);
    expect(receiver.received.length).toBeLessThanOrEqual(31);
  });

  it("its owner is mailed what was wrong and how to go on, once", async () => {
    answer = { status: 410 };
    await begin(await fireAlert(context, watch));
    const [notice] = await notices();
    const id = notice?.id ?? "";
    const down = new MailFailure("down", { refused: false, replyCode: null, silence: "unreachable" });
    const deaf = createTestParts(context, {
      onMail: () => {
        throw down;
      },
    });
    await expect(sendNotice(context, deaf, id)).rejects.toBe(down);
    expect([await sendNotice(context, parts, id), await sendNotice(context, parts, id)]).toEqual(["sent", "sent"]);
    expect(parts.mails).toHaveLength(1);
    expect(parts.mails[0]?.text).toContain("the answer was 410");
    expect(parts.mails[0]?.text).toContain(`PATCH /v1/monitors/${watch.monitorId} {"notifyWebhook": true}`);
    expect(parts.mails[0]?.text).toContain("/redeliver");
  });
});
