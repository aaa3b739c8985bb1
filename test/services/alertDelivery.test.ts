import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { updateAccount } from "../../database/accounts.ts";
import { listAlerts, listAttempts } from "../../database/alerts.ts";
import { readRowUse } from "../../database/ledger.ts";
import { updateMonitor as writeMonitor, readMonitor } from "../../database/monitors.ts";
import { count, sql } from "../../database/pool.ts";
import { MailFailure } from "../../domain/delivery/mail.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import { attemptDelivery } from "../../services/alerts/attemptDelivery.ts";
import { beginAlert } from "../../services/alerts/begin.ts";
import { connectChat } from "../../services/chat/connect.ts";
import { disconnectChat } from "../../services/chat/disconnect.ts";
import type { Caller } from "../../services/context.ts";
import { removeMonitor } from "../../services/monitors/remove.ts";
import { removeTracker } from "../../services/trackers/remove.ts";
import { createTestParts, createWatch, fireAlert, type TestParts } from "../builders/alerts.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { loopbackToo, type Receiver, type ReceiverAnswer, startReceiver } from "../builders/receiver.ts";
import { eventually } from "../environment/startedSystem.ts";

let context: TestContext;
let receiver: Receiver;
let answer: ReceiverAnswer | null;
let caller: Caller;
let parts: TestParts;
beforeAll(async () => {
  context = await createTestContext({
    outbound: loopbackToo,
    settings: { alerts: { attemptTimeoutSeconds: 1 } },
  });
  receiver = await startReceiver(() => answer);
});
afterAll(async () => {
  await receiver?.close();
  await context?.close();
});
beforeEach(async () => {
  answer = {};
  receiver.received.length = 0;
  parts = createTestParts(context);
  caller = await createCaller(context);
});

const hook = () => ({ notifyWebhook: true, webhookUrl: `${receiver.url}/hook` });
const rowsUsed = async () => (await readRowUse(context.pool, caller.accountId, usagePeriod(context.clock()))).rowsUsed;
const debits = () =>
  context.pool.any(sql.type(z.object({ rows: count, subject: z.string().nullable(), reason: z.string() }))`
    select rows, subject, reason from ledger_entry where account_id = ${caller.accountId}`);
const stateOf = async (monitorId: string) => {
  const [alert] = await listAlerts(context.pool, monitorId, { limit: 1, after: null });
  const attempts = await listAttempts(context.pool, monitorId, { limit: 100, after: null });
  return { alert, attempts };
};
const waitingForLocks = () =>
  context.pool.oneFirst(sql.type(z.object({ count }))`
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
const begin = (alertId: string) => beginAlert(context, parts, alertId);
const connect = () =>
  connectChat(context, {
    accountId: caller.accountId,
    kind: "slack-webhook",
    name: "Chat",
    secret: `${receiver.url}/chat`,
  });
/** A watch on all three channels. */
const watchAll = async () => {
  const { chatIntegrationId } = await connect();
  return createWatch(context, caller, { ...hook(), notifyChat: true, chatIntegrationId });
};

const pausedMonitor = async (monitorId: string) => {
  const monitor = await readMonitor(context.pool, caller.accountId, monitorId);
  if (monitor !== null)
    await writeMonitor(context.pool, monitorId, { ...monitor, pausedAt: context.clock() }, context.clock());
};

describe("the first attempt", () => {
  it("goes out on every channel that is on, is paid for once, and is counted", async () => {
    const watch = await watchAll();
    const alertId = await fireAlert(context, watch);
    const begun = await begin(alertId);
    expect(begun).toMatchObject({
      kind: "begun",
      deliveries: ["email", "chat", "webhook"].map((channel) => ({ channel, status: "succeeded", attempts: 1 })),
    });
    expect([parts.mails.length, parts.chats.length, receiver.received.length]).toEqual([1, 1, 1]);
    expect(await debits()).toEqual([{ rows: 100, subject: alertId, reason: "alert" }]);
    const { alert, attempts } = await stateOf(watch.monitorId);
    expect(alert).toMatchObject({ status: "delivered", rowsBilled: 100 });
    expect(alert?.deliveries).toHaveLength(3);
    expect(attempts.map(({ channel, number, outcome }) => `${channel} ${number} ${outcome}`).toSorted()).toEqual([
      "chat 1 succeeded",
      "email 1 succeeded",
      "webhook 1 succeeded",
    ]);
    const tracker = await context.pool.one(sql.type(
      z.object({ emails: z.number(), chats: z.number(), webhooks: z.number(), notified: z.boolean() }),
    )`
      select email_delivery_count as emails, chat_delivery_count as chats, webhook_delivery_count as webhooks,
        last_notified_at is not null as notified from tracker where id = ${watch.trackerId}`);
    expect(tracker).toEqual({ emails: 1, chats: 1, webhooks: 1, notified: true });
    expect((await readMonitor(context.pool, caller.accountId, watch.monitorId))?.lastNotifiedAt).not.toBeNull();
  });

  it("tells programs the price that was paid", async () => {
    await begin(await fireAlert(context, await createWatch(context, caller, hook())));
    const [request] = receiver.received;
    expect(JSON.parse(request?.body ?? "")).toMatchObject({ type: "alert.mention", alert: { rowsBilled: 100 } });
    expect(request?.headers).toMatchObject({ "content-type": "application/json" });
  });

  it("mails each address once, with a way out of its own; what one server refuses keeps nobody else's mail back", async () => {
    const addresses = ["one@example.com", "two@example.com"];
    parts = createTestParts(context, {
      onMail: ({ to }) => {
        if (to === "two@example.com") throw new MailFailure("no", { refused: true, replyCode: 550, silence: null });
      },
    });
    const watch = await createWatch(context, caller, { emailAddresses: addresses });
    await begin(await fireAlert(context, watch));
    expect(parts.mails.map(({ to }) => to)).toEqual(["one@example.com"]);
    expect(parts.mails[0]?.unsubscribeUrl).toContain(encodeURIComponent("one@example.com"));
    const { attempts } = await stateOf(watch.monitorId);
    expect(attempts).toMatchObject([{ outcome: "succeeded", responseStatus: 550, errorKind: "refused" }]);
  });

  it("nothing is switched on: it is paid for and can be read", async () => {
    const watch = await createWatch(context, caller, { notifyEmail: false });
    expect(await begin(await fireAlert(context, watch))).toEqual({ kind: "begun", deliveries: [] });
    expect((await stateOf(watch.monitorId)).alert).toMatchObject({
      status: "delivered",
      rowsBilled: 100,
      deliveries: [],
    });
  });

  it("there is no such occurrence", async () => {
    expect(await begin("alr_none")).toEqual({ kind: "unknown" });
  });
});

describe("billing", () => {
  it("once, however often and at however many places it is begun", async () => {
    const watch = await watchAll();
    await begin(await fireAlert(context, watch));
    const alertId = await fireAlert(context, watch);
    // All have read that it has not begun before one of them can pay.
    const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = context.pool.transaction(async (transaction) => {
      await transaction.query(sql.typeAlias("void")`
        select from usage_counter where account_id = ${caller.accountId} for update`);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    // Each as a process of its own.
    const begun = Array.from({ length: 6 }, () => beginAlert(context, createTestParts(context), alertId));
    await eventually(async () => ((await waitingForLocks()) === 6 ? true : undefined));
    held.resolve();
    await holding;
    await Promise.all(begun);
    await begin(alertId);
    expect((await debits()).filter(({ subject }) => subject === alertId)).toHaveLength(1);
    expect(await rowsUsed()).toBe(200);
    const rows = await context.pool.one(sql.type(z.object({ deliveries: count, attempts: count }))`
      select count(distinct delivery.id) as deliveries, count(attempt.id) as attempts
      from alert_delivery as delivery left join delivery_attempt as attempt on attempt.delivery_id = delivery.id
      where occurrence_id = ${alertId}`);
    expect(rows).toEqual({ deliveries: 3, attempts: 3 });
  });

  it("a pool that cannot pay: nothing goes out, for good", async () => {
    caller = await createCaller(context, { rows: 199 });
    const watch = await watchAll();
    const [first, second] = [await fireAlert(context, watch), await fireAlert(context, watch)];
    await begin(first);
    expect(await begin(second)).toEqual({ kind: "suppressed" });
    expect([parts.mails.length, receiver.received.length, await rowsUsed()]).toEqual([1, 1, 100]);
    await context.pool.query(
      sql.typeAlias("void")`update account set monthly_rows = 1000 where id = ${caller.accountId}`,
    );
    expect(await begin(second)).toEqual({ kind: "suppressed" });
    expect((await stateOf(watch.monitorId)).alert).toMatchObject({
      status: "suppressed",
      rowsBilled: 0,
      deliveries: [],
    });
  });

  it("rows past the pool are bought where on-demand is on, up to the cap", async () => {
    caller = await createCaller(context, { rows: 50, onDemand: true, spendCapCents: 10 });
    const watch = await createWatch(context, caller);
    const kinds = [];
    for (let time = 0; time < 2; time += 1) kinds.push((await begin(await fireAlert(context, watch))).kind);
    expect(kinds).toEqual(["begun", "suppressed"]);
    const use = await readRowUse(context.pool, caller.accountId, usagePeriod(context.clock()));
    expect(use).toEqual({ rowsUsed: 100, onDemandRows: 50 });
  });

  it("many alerts of one account at once never pass the pool", async () => {
    caller = await createCaller(context, { rows: 550 });
    const watch = await createWatch(context, caller);
    const alertIds = [];
    for (let time = 0; time < 12; time += 1) alertIds.push(await fireAlert(context, watch));
    const begun = await Promise.all(alertIds.map(begin));
    expect(begun.filter(({ kind }) => kind === "begun")).toHaveLength(5);
    expect([await rowsUsed(), parts.mails.length]).toEqual([500, 5]);
  });
});

describe("settings of the moment", () => {
  it.each([
    ["the monitor is paused", "monitor_paused", ({ monitorId }) => pausedMonitor(monitorId)],
    [
      "the tracker is paused",
      "tracker_paused",
      ({ trackerId }) =>
        context.pool.query(sql.typeAlias("void")`update tracker set paused_at = now() where id = ${trackerId}`),
    ],
    [
      "the tracker is gone",
      "tracker_deleted",
      ({ trackerId }) => context.pool.transaction((transaction) => removeTracker(transaction, caller, trackerId)),
    ],
  ] as const satisfies [string, string, (watch: { monitorId: string; trackerId: string }) => unknown][])(
    "%s before it begins: silent, and free",
    async (_, reason, change) => {
      const watch = await createWatch(context, caller, hook());
      const alertId = await fireAlert(context, watch);
      await change(watch);
      expect(await begin(alertId)).toEqual({ kind: "suppressed" });
      expect([parts.mails.length, receiver.received.length, await rowsUsed()]).toEqual([0, 0, 0]);
      const { alert } = await stateOf(watch.monitorId);
      expect(alert).toMatchObject({ status: "suppressed", rowsBilled: 0 });
      const reasons = await context.pool.anyFirst(sql.type(z.object({ reason: z.string() }))`
        select reason from alert_delivery where occurrence_id = ${alertId} and status = 'skipped'`);
      expect(reasons).toEqual([reason, reason]);
    },
  );

  it("the monitor is gone before it begins: silent, and free", async () => {
    const watch = await createWatch(context, caller, hook());
    const alertId = await fireAlert(context, watch);
    await context.pool.transaction((transaction) => removeMonitor(transaction, caller, watch.monitorId));
    expect(await begin(alertId)).toEqual({ kind: "suppressed" });
    expect([parts.mails.length, receiver.received.length, await rowsUsed()]).toEqual([0, 0, 0]);
  });

  it("a reviewer took it back before it begins: paid for, as every alert that fires, and not sent", async () => {
    const watch = await createWatch(context, caller);
    const alertId = await fireAlert(context, watch);
    await context.pool.query(
      sql.typeAlias("void")`update alert_occurrence set retracted_at = now() where id = ${alertId}`,
    );
    expect(await begin(alertId)).toMatchObject({ deliveries: [{ status: "skipped", reason: "retracted" }] });
    expect([parts.mails.length, await rowsUsed()]).toEqual([0, 100]);
    const { alert, attempts } = await stateOf(watch.monitorId);
    expect(alert).toMatchObject({ status: "failed", rowsBilled: 100 });
    expect(attempts).toMatchObject([{ outcome: "skipped", errorKind: "retracted" }]);
  });

  it("an account that went back to the free plan is mailed only", async () => {
    const watch = await watchAll();
    const alertId = await fireAlert(context, watch);
    await updateAccount(context.pool, caller.accountId, { tier: "free" });
    expect(await begin(alertId)).toMatchObject({
      deliveries: [
        { channel: "email", status: "succeeded" },
        { channel: "chat", status: "skipped", reason: "not_in_plan" },
        { channel: "webhook", status: "skipped", reason: "not_in_plan" },
      ],
    });
    expect([parts.chats.length, receiver.received.length]).toEqual([0, 0]);
  });

  it("a chat that was disconnected and a webhook that is disabled are skipped; what is left goes out", async () => {
    const { chatIntegrationId } = await connect();
    const watch = await createWatch(context, caller, { ...hook(), notifyChat: true, chatIntegrationId });
    const alertId = await fireAlert(context, watch);
    await context.pool.query(sql.typeAlias("void")`
      update monitor set webhook_disabled_at = now(), webhook_disabled_reason = 'failures' where id = ${watch.monitorId}`);
    answer = { status: 500 };
    parts = createTestParts(context, {
      onChat: () => ({
        outcome: { kind: "failed", retryAfterSeconds: null },
        responseStatus: 500,
        responseExcerpt: null,
        error: null,
      }),
    });
    const begun = await begin(alertId);
    await disconnectChat(context, chatIntegrationId);
    expect(begun).toMatchObject({
      deliveries: [
        { channel: "email", status: "succeeded" },
        { channel: "chat", status: "pending" },
        { channel: "webhook", status: "skipped", reason: "webhook_disabled", attempts: 0 },
      ],
    });
    const chat = begun.kind === "begun" ? begun.deliveries[1] : undefined;
    expect(await attemptDelivery(context, parts, { deliveryId: chat?.deliveryId ?? "", number: 2 })).toMatchObject({
      status: "skipped",
      reason: "channel_off",
    });
    const { attempts } = await stateOf(watch.monitorId);
    expect(attempts.map(({ channel, outcome, errorKind }) => `${channel} ${outcome} ${errorKind}`).toSorted()).toEqual([
      "chat failed null",
      "chat skipped channel_off",
      "email succeeded null",
      "webhook skipped webhook_disabled",
    ]);
    expect(receiver.received).toEqual([]);
  });
});
