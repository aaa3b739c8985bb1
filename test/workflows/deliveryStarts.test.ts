import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { pino } from "pino";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { insertDeliveries } from "../../database/redeliveries.ts";
import { newId } from "../../domain/ids.ts";
import { matchTrackers } from "../../services/alerts/matchTrackers.ts";
import { testWebhook } from "../../services/alerts/testWebhook.ts";
import type { Caller } from "../../services/context.ts";
import { startSingleDelivery } from "../../workers/deliveryStarts.ts";
import { OutboxDispatcher } from "../../workers/outboxDispatcher.ts";
import { singleDeliveryWorkflowId } from "../../workflows/singleDeliveryId.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { createNamedEntity, createTestMonitor, createTestTracker } from "../builders/monitors.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";
import { eventually } from "../environment/startedSystem.ts";

let context: TestContext;
let environment: TestWorkflowEnvironment;
let caller: Caller;
let monitorId: string;
beforeAll(async () => {
  [context, environment] = await Promise.all([createTestContext(), createNamespace()]);
  caller = await createCaller(context);
  const hook = { notifyWebhook: true, webhookUrl: "https://hooks.example.com/in" };
  ({ monitorId } = (await createTestMonitor(context, caller, hook)).monitor);
}, 60_000);
afterAll(async () => {
  await environment?.teardown();
  await context?.close();
});

/** Tells Temporal what was asked for, until nothing is left to tell. */
async function dispatch(): Promise<void> {
  const { client } = environment;
  const logger = pino({ level: "silent" });
  const dispatcher = new OutboxDispatcher({ context, client, databaseUrl: context.databaseUrl, logger });
  const left = () => context.pool.oneFirst(sql.type(z.object({ count }))`select count(*) from outbox`);
  await eventually(async () => ((await left()) === 0 ? true : undefined));
  await dispatcher.stop();
}

const started = async (deliveryId: string) => {
  const handle = environment.client.workflow.getHandle(singleDeliveryWorkflowId(deliveryId));
  const { typedSearchAttributes, staticSummary, staticDetails, type, priority } = await handle.describe();
  const attributes = Object.fromEntries(
    [...typedSearchAttributes.getAll()].map(({ key, value }) => [key.name, value] as const),
  );
  return { type, attributes, summary: await staticSummary(), details: await staticDetails(), priority };
};

it("a test is found by its account and monitor, and says what it is", async () => {
  const { deliveryId } = await context.pool.transaction((transaction) =>
    testWebhook(context, transaction, caller, monitorId),
  );
  await dispatch();
  expect(await started(deliveryId)).toMatchObject({
    type: "singleDelivery",
    attributes: { MediaAccountId: caller.accountId, MediaMonitorId: monitorId, MediaStage: "delivering" },
    summary: `Test of the webhook of monitor ${monitorId} for ${caller.accountId}`,
    details: expect.stringContaining(deliveryId),
    priority: { priorityKey: 3 },
  });
});

it("a redelivery is found by its video too; one of many gives way to all else", async () => {
  const entityId = await createNamedEntity(context, "Ada Lovelace");
  await createTestTracker(context, caller, { entityName: "Ada Lovelace", monitorId });
  const videoId = await createVideo(context);
  await createMention(context, { videoId, entityId });
  await context.pool.transaction((transaction) => matchTrackers(transaction, videoId, new Map()));
  const alert = await context.pool.one(sql.type(z.object({ id: z.string(), event_id: z.string() }))`
    select id, event_id from alert_occurrence where video_id = ${videoId}`);
  const [alone, oneOfMany] = [newId("delivery"), newId("delivery")];
  const of = { accountId: caller.accountId, monitorId, purpose: "redelivery", at: new Date() } as const;
  const delivery = { alertId: alert.id, eventId: alert.event_id };
  await insertDeliveries(context.pool, of, [{ deliveryId: oneOfMany, ...delivery }], 1);
  await insertDeliveries(context.pool, of, [{ deliveryId: alone, ...delivery }], 0);
  await dispatch();
  expect(await started(alone)).toMatchObject({
    attributes: {
      MediaAccountId: caller.accountId,
      MediaMonitorId: monitorId,
      MediaVideoId: videoId,
      MediaEntityId: `ent_${entityId}`,
    },
    summary: `Alert on video ${videoId} by webhook once more, for ${caller.accountId}`,
    details: expect.stringContaining(alert.id),
    priority: { priorityKey: 3 },
  });
  expect((await started(oneOfMany)).priority).toMatchObject({ priorityKey: 5 });
});

it("is started once, however often it is told", async () => {
  const { deliveryId } = await context.pool.transaction((transaction) =>
    testWebhook(context, transaction, caller, monitorId),
  );
  const tell = (subject: string) => startSingleDelivery(context.pool, environment.client, { subject, priority: 0 });
  expect([await tell(deliveryId), await tell(deliveryId), await tell("dlv_0")]).toEqual([true, true, true]);
  await dispatch();
  const { runId } = await environment.client.workflow.getHandle(singleDeliveryWorkflowId(deliveryId)).describe();
  expect(runId).toBeDefined();
});
