import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { pino } from "pino";
import { z } from "zod";
import { count, sql } from "../../database/pool.ts";
import { matchTrackers } from "../../services/alerts/matchTrackers.ts";
import { OutboxDispatcher } from "../../workers/outboxDispatcher.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { createNamedEntity, createTestMonitor, createTestTracker } from "../builders/monitors.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";
import { eventually } from "../environment/startedSystem.ts";

const accounts = 250;
let context: TestContext;
let environment: TestWorkflowEnvironment;
/** Starts asked of Temporal. */
let asked = 0;
let most = 0;
beforeAll(async () => {
  [context, environment] = await Promise.all([createTestContext(), createNamespace()]);
}, 60_000);
afterAll(async () => {
  await environment?.teardown();
  await context?.close();
});

/** The client as it is, with a count of the starts that are under way at once. */
function countedClient(): TestWorkflowEnvironment["client"] {
  const { client } = environment;
  let underWay = 0;
  const start: typeof client.workflow.start = async (...told) => {
    asked += 1;
    underWay += 1;
    most = Math.max(most, underWay);
    try {
      return await client.workflow.start(...told);
    } finally {
      underWay -= 1;
    }
  };
  return Object.create(client, {
    workflow: { value: Object.create(client.workflow, { start: { value: start } }) },
  });
}

it("a burst on one video: all are started, none twice, by however many dispatchers, and no more at once than a few batches", async () => {
  const entityId = await createNamedEntity(context, "Ada Lovelace");
  for (let account = 0; account < accounts; account += 1) {
    const caller = await createCaller(context);
    const { monitorId } = (await createTestMonitor(context, caller)).monitor;
    await createTestTracker(context, caller, { entityName: "Ada Lovelace", monitorId });
  }
  const videoId = await createVideo(context);
  await createMention(context, { videoId, entityId });
  const fired = await context.pool.transaction((transaction) => matchTrackers(transaction, videoId, new Map()));
  expect(fired).toBe(accounts);
  const parts = { context, databaseUrl: context.databaseUrl, logger: pino({ level: "silent" }) };
  const dispatchers = [countedClient(), countedClient()].map((client) => new OutboxDispatcher({ ...parts, client }));
  const left = () => context.pool.oneFirst(sql.type(z.object({ count }))`select count(*) from outbox`);
  await eventually(async () => ((await left()) === 0 ? true : undefined));
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
  await eventually(async () => {
    const started = await environment.client.workflow.count(`WorkflowType = 'alertDelivery'`);
    return started.count === accounts ? true : undefined;
  });
  expect(asked).toBe(accounts);
  expect(most).toBeLessThanOrEqual(200);
});
