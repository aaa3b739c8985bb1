import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { pino } from "pino";
import { z } from "zod";
import { listAlerts, listAttempts } from "../../database/alerts.ts";
import { count, sql } from "../../database/pool.ts";
import type { Caller } from "../../services/context.ts";
import { testWebhook } from "../../services/alerts/testWebhook.ts";
import { removeMonitor } from "../../services/monitors/remove.ts";
import { rotateSecret } from "../../services/monitors/rotateSecret.ts";
import { updateMonitor } from "../../services/monitors/update.ts";
import { OutboxDispatcher } from "../../workers/outboxDispatcher.ts";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";
import { alertDeliveryWorkflowId } from "../../domain/alerts.ts";
import { singleDeliveryWorkflowId } from "../../workflows/singleDeliveryId.ts";
import { createTestParts, createWatch, fireAlert, type TestParts, type Watch } from "../builders/alerts.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { startDelivery, whileDelivering } from "../builders/deliveryWorkers.ts";
import { historyText } from "../builders/readHistory.ts";
import { keepHistory } from "../builders/histories.ts";
import { loopbackToo, type Receiver, type ReceiverAnswer, startReceiver } from "../builders/receiver.ts";
import { createNamespace, registerSearchAttributes } from "../builders/transcriptionWorkers.ts";
import { startTimeSkippingServer } from "../environment/temporal.ts";

const hour = 3_600_000;
let context: TestContext;
let bundle: Awaited<ReturnType<typeof bundleWorkflows>>;
let receiver: Receiver;
let answer: () => ReceiverAnswer | null;
let now = Date.now();
let caller: Caller;
let parts: TestParts;
let watch: Watch & { webhookSecret: string | null };
beforeAll(async () => {
  [context, bundle, receiver] = await Promise.all([
    createTestContext({ clock: () => new Date(now), outbound: loopbackToo }),
    bundleWorkflows(),
    startReceiver(() => answer()),
  ]);
});
afterAll(async () => {
  await receiver?.close();
  await context?.close();
});
beforeEach(async () => {
  answer = () => ({});
  receiver.received.length = 0;
  parts = createTestParts(context);
  caller = await createCaller(context);
  watch = await createWatch(context, caller, { notifyWebhook: true, webhookUrl: `${receiver.url}/hook` });
});

const attempts = () => listAttempts(context.pool, watch.monitorId, { limit: 100, after: null });
const webhookAttempts = async () => (await attempts()).filter(({ channel }) => channel === "webhook").toReversed();
const untold = () => context.pool.oneFirst(sql.type(z.object({ count }))`select count(*) from outbox`);
const alertOf = async () => (await listAlerts(context.pool, watch.monitorId, { limit: 1, after: null }))[0];
const change = (fields: Parameters<typeof updateMonitor>[4]) =>
  context.pool.transaction((transaction) => updateMonitor(context, transaction, caller, watch.monitorId, fields));

describe("with time skipped", () => {
  let environment: TestWorkflowEnvironment;
  beforeAll(async () => {
    environment = await startTimeSkippingServer();
    await registerSearchAttributes(environment);
  });
  afterAll(() => environment?.teardown());

  const setClock = async () => {
    now = await environment.currentTimeMs();
  };
  const working = <T>(work: () => Promise<T>) =>
    whileDelivering({ environment, bundle, context, parts, beforeEach: setClock }, work);
  const sleep = async (milliseconds: number) => {
    await environment.sleep(milliseconds);
    await setClock();
  };
  const start = async () => {
    await setClock();
    const alertId = await fireAlert(context, watch);
    return { alertId, handle: await startDelivery(environment, alertId) };
  };

  it("a receiver that is down for two days gets its event when it is back, and others were not kept waiting", async () => {
    await working(async () => {
      const { alertId, handle } = await start();
      const backAt = now + 48 * hour;
      answer = () => (now < backAt ? { status: 503 } : {});
      expect(await handle.result()).toEqual({ outcome: "delivered" });
      const made = await webhookAttempts();
      expect(made.map(({ outcome }) => outcome)).toEqual([...Array(8).fill("failed"), "succeeded"]);
      expect(made.at(-1)?.at.getTime()).toBeGreaterThanOrEqual(backAt);
      expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
      expect(parts.mails).toHaveLength(1);
      expect(await alertOf()).toMatchObject({ alertId, status: "delivered", rowsBilled: 100 });
      await keepHistory(environment, alertDeliveryWorkflowId(alertId), "alert-delivery-retried");
    });
  });

  it("after ten attempts, in the pauses that are promised, it is given up", async () => {
    await change({ notifyEmail: false });
    answer = () => ({ status: 500 });
    await working(async () => {
      const { alertId, handle } = await start();
      expect(await handle.result()).toEqual({ outcome: "failed" });
      const made = await webhookAttempts();
      const pausesSeconds = made
        .slice(1)
        .map(({ at }, index) => Math.round((at.getTime() - (made[index]?.at.getTime() ?? 0)) / 1000));
      const promised = context.settings.alerts.retryDelaysSeconds;
      expect(pausesSeconds).toHaveLength(promised.length);
      for (const [index, pause] of pausesSeconds.entries())
        expect(Math.abs(pause - (promised[index] ?? 0))).toBeLessThanOrEqual(2);
      expect(await alertOf()).toMatchObject({ status: "failed", deliveries: [{ status: "failed", attempts: 10 }] });
      await keepHistory(environment, alertDeliveryWorkflowId(alertId), "alert-delivery-failed");
    });
  });

  it("every attempt goes by the settings of its moment: another address, another secret", async () => {
    answer = () => ({ status: 500 });
    await working(async () => {
      const { handle } = await start();
      await sleep(2 * hour);
      const before = receiver.received.length;
      await change({ webhookUrl: `${receiver.url}/elsewhere` });
      await context.pool.transaction((transaction) => rotateSecret(context, transaction, caller, watch.monitorId));
      answer = () => ({});
      await handle.result();
      const [last, ...more] = receiver.received.slice(before);
      expect([last?.path, more]).toEqual(["/elsewhere", []]);
      expect(last?.headers).toHaveProperty("x-service-signature-previous");
    });
  });

  it.each([
    [
      "deleted",
      "monitor_deleted",
      () => context.pool.transaction((transaction) => removeMonitor(transaction, caller, watch.monitorId)),
    ],
    ["paused", "monitor_paused", () => change({ isPaused: true })],
    ["without a webhook", "channel_off", () => change({ notifyWebhook: false })],
  ])("the monitor is %s meanwhile: nothing more is sent", async (_, reason, meanwhile) => {
    answer = () => ({ status: 500 });
    await working(async () => {
      const { alertId, handle } = await start();
      await sleep(hour / 60);
      const sent = receiver.received.length;
      await meanwhile();
      await handle.result();
      expect(receiver.received).toHaveLength(sent);
      const last = await context.pool.one(sql.type(z.object({ status: z.string(), reason: z.string() }))`
        select status, reason from alert_delivery where occurrence_id = ${alertId} and channel = 'webhook'`);
      expect(last).toEqual({ status: "skipped", reason });
    });
  });

  it("a webhook that is disabled meanwhile is not tried any more", async () => {
    await change({ notifyEmail: false });
    answer = () => ({ status: 500 });
    await working(async () => {
      const { handle } = await start();
      await sleep(hour / 60);
      answer = () => ({ status: 410 });
      const second = await start();
      expect(await second.handle.result()).toEqual({ outcome: "failed" });
      const sent = receiver.received.length;
      expect(await handle.result()).toEqual({ outcome: "failed" });
      expect(receiver.received).toHaveLength(sent);
    });
  });
});

describe("through the outbox", () => {
  let environment: TestWorkflowEnvironment;
  beforeAll(async () => {
    environment = await createNamespace();
    await context.pool.query(sql.typeAlias("void")`delete from outbox`);
  });
  afterAll(() => environment?.teardown());
  beforeEach(() => {
    now = Date.now();
  });

  async function whileDispatching<T>(work: () => Promise<T>): Promise<T> {
    const { client } = environment;
    const logger = pino({ level: "silent" });
    const dispatcher = new OutboxDispatcher({ context, client, databaseUrl: context.databaseUrl, logger });
    try {
      return await whileDelivering({ environment, bundle, context, parts }, work);
    } finally {
      await dispatcher.stop();
    }
  }
  /** Waits for the dispatcher, and for the workflow that it starts. */
  const outcomeOf = async (workflowId: string): Promise<unknown> => {
    while ((await untold()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    return environment.client.workflow.getHandle(workflowId).result();
  };

  it("an alert costs one workflow task; it is found by whom, what and where it is, and its history holds ids only", async () => {
    await whileDispatching(async () => {
      const alertId = await fireAlert(context, watch);
      const workflowId = alertDeliveryWorkflowId(alertId);
      expect(await outcomeOf(workflowId)).toEqual({ outcome: "delivered" });
      const handle = environment.client.workflow.getHandle(workflowId);
      const { searchAttributes } = await handle.describe();
      const videoId = await context.pool.oneFirst(sql.type(z.object({ video_id: z.string() }))`
        select video_id from alert_occurrence where id = ${alertId}`);
      expect(searchAttributes).toMatchObject({
        MediaAccountId: [caller.accountId],
        MediaMonitorId: [watch.monitorId],
        MediaEntityId: [`ent_${watch.entityId}`],
        MediaVideoId: [videoId],
      });
      const { events } = await handle.fetchHistory();
      const of = (kind: "activityTaskScheduledEventAttributes" | "workflowTaskScheduledEventAttributes") =>
        (events ?? []).filter((event) => event[kind] != null);
      expect(of("activityTaskScheduledEventAttributes")).toHaveLength(0);
      expect(of("workflowTaskScheduledEventAttributes")).toHaveLength(1);
      const history = await historyText(handle);
      for (const secret of [
        `${receiver.url}/hook`,
        watch.webhookSecret ?? "",
        parts.mails[0]?.to ?? "",
        "They spoke of",
      ])
        expect(history).not.toContain(secret);
      await keepHistory(environment, workflowId, "alert-delivery");
    });
  });

  it("says which channel waits for what, and until when", async () => {
    answer = () => ({ status: 503, headers: { "retry-after": "9" } });
    await whileDispatching(async () => {
      const alertId = await fireAlert(context, watch);
      const handle = environment.client.workflow.getHandle(alertDeliveryWorkflowId(alertId));
      const details = z.object({ currentDetails: z.string() });
      while ((await webhookAttempts()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      const read = async () => details.parse(await handle.query("__temporal_workflow_metadata")).currentDetails;
      while (!(await read()).includes("waits")) await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await read()).toMatch(/webhook: waits after 1 attempt \(the answer was 503\); the next one is at 20/);
      expect(await read()).toContain("email: succeeded after 1 attempt");
      expect((await handle.describe()).searchAttributes).toMatchObject({ MediaStage: ["waiting"] });
      await handle.terminate();
    });
  });

  it("a test is sent once, whatever the answer", async () => {
    answer = () => ({ status: 503 });
    await whileDispatching(async () => {
      const { deliveryId } = await context.pool.transaction((transaction) =>
        testWebhook(context, transaction, caller, watch.monitorId),
      );
      const workflowId = singleDeliveryWorkflowId(deliveryId);
      expect(await outcomeOf(workflowId)).toEqual({ outcome: "failed" });
      expect(receiver.received).toHaveLength(1);
      await keepHistory(environment, workflowId, "test-delivery");
    });
  });

  it("an alert that cannot be paid for ends at once", async () => {
    caller = await createCaller(context, { rows: 99 });
    watch = await createWatch(context, caller);
    await whileDispatching(async () => {
      const workflowId = alertDeliveryWorkflowId(await fireAlert(context, watch));
      expect(await outcomeOf(workflowId)).toEqual({ outcome: "suppressed" });
      await keepHistory(environment, workflowId, "alert-delivery-suppressed");
    });
  });

  it("the owner of a webhook that is gone is mailed", async () => {
    await change({ notifyEmail: false });
    answer = () => ({ status: 410 });
    await whileDispatching(async () => {
      await outcomeOf(alertDeliveryWorkflowId(await fireAlert(context, watch)));
      const noticeId = await context.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
        select id from webhook_notice where monitor_id = ${watch.monitorId}`);
      expect(await outcomeOf(`webhook-notice-${noticeId}`)).toEqual({ outcome: "sent" });
      expect(parts.mails.map(({ subject }) => subject)).toEqual(["The webhook of “Watch” was switched off"]);
      await keepHistory(environment, `webhook-notice-${noticeId}`, "webhook-notice");
    });
  });
});
