import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker } from "@temporalio/worker";
import { pino } from "pino";
import { z } from "zod";
import { createRotationActivities } from "../../activities/rotation.ts";
import { sql } from "../../database/pool.ts";
import type { Caller } from "../../services/context.ts";
import { removeMonitor } from "../../services/monitors/remove.ts";
import { rotateSecret } from "../../services/monitors/rotateSecret.ts";
import { signDelivery } from "../../services/monitors/signDelivery.ts";
import { OutboxDispatcher } from "../../workers/outboxDispatcher.ts";
import { startRotation } from "../../workers/rotationStarts.ts";
import { bundleWorkflows } from "../../workers/workflowBundle.ts";
import { taskQueues } from "../../workflows/taskQueues.ts";
import { webhookSecretRotationWorkflowId } from "../../workflows/webhookSecretRotationId.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { historyText } from "../builders/readHistory.ts";
import { keepHistory } from "../builders/histories.ts";
import { createTestMonitor } from "../builders/monitors.ts";
import { createNamespace, registerSearchAttributes } from "../builders/transcriptionWorkers.ts";
import { startTimeSkippingServer } from "../environment/temporal.ts";

const hour = 3_600_000;
let context: TestContext;
let bundle: Awaited<ReturnType<typeof bundleWorkflows>>;
let caller: Caller;
let monitorId: string;
let now = Date.now();
/** When the workflow looked for something to erase. */
let looked: number[] = [];
beforeAll(async () => {
  [context, bundle] = await Promise.all([createTestContext({ clock: () => new Date(now) }), bundleWorkflows()]);
});
afterAll(() => context?.close());
beforeEach(async () => {
  looked = [];
  caller = await createCaller(context);
  const hook = { notifyWebhook: true, webhookUrl: "https://example.com/hook" };
  ({ monitorId } = (await createTestMonitor(context, caller, hook)).monitor);
});

const rotate = () => context.pool.transaction((transaction) => rotateSecret(context, transaction, caller, monitorId));
const workflowId = () => webhookSecretRotationWorkflowId(monitorId);
const hasPrevious = () =>
  context.pool.oneFirst(sql.type(z.object({ kept: z.boolean() }))`
    select sealed_previous is not null as kept from monitor_webhook_secret where monitor_id = ${monitorId}`);
const signsTwice = async () => {
  const headers = await signDelivery(context, { monitorId, eventId: "evt_1", body: "{}" });
  return headers !== null && "X-Service-Signature-Previous" in headers;
};

async function whileWorking<T>(environment: TestWorkflowEnvironment, work: () => Promise<T>): Promise<T> {
  const { endRotation } = createRotationActivities({ context });
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    namespace: environment.namespace ?? "default",
    taskQueue: taskQueues.workflows,
    workflowBundle: bundle,
    activities: {
      endRotation: async (id: string) => {
        now = await environment.currentTimeMs();
        looked.push(now);
        return endRotation(id);
      },
    },
  });
  return worker.runUntil(work());
}

describe("with time skipped", () => {
  let environment: TestWorkflowEnvironment;
  beforeAll(async () => {
    environment = await startTimeSkippingServer();
    await registerSearchAttributes(environment);
  });
  afterAll(() => environment?.teardown());

  const tell = () => startRotation(context.pool, environment.client, monitorId);
  const sleep = async (milliseconds: number) => {
    await environment.sleep(milliseconds);
    now = await environment.currentTimeMs();
  };

  it("the old secret is erased at 24 h 0 s, and is found in no history", async () => {
    await whileWorking(environment, async () => {
      now = await environment.currentTimeMs();
      const { webhookSecret, previousSecretExpiresAt } = await rotate();
      await tell();
      await sleep(23 * hour);
      expect([await hasPrevious(), await signsTwice()]).toEqual([true, true]);
      const handle = environment.client.workflow.getHandle(workflowId());
      await handle.result();
      expect(await hasPrevious()).toBe(false);
      expect(looked).toHaveLength(1);
      const lateMilliseconds = (looked[0] ?? 0) - previousSecretExpiresAt.getTime();
      expect(lateMilliseconds).toBeGreaterThanOrEqual(0);
      expect(lateMilliseconds).toBeLessThan(5000);
      const history = await historyText(handle);
      for (const text of [webhookSecret, webhookSecret.slice(6)]) expect(history).not.toContain(text);
      await keepHistory(environment, workflowId(), "webhook-secret-rotation");
    });
  });

  it("another rotation restarts the window of the same workflow; telling it twice does no harm", async () => {
    await whileWorking(environment, async () => {
      now = await environment.currentTimeMs();
      await rotate();
      await tell();
      await tell();
      await sleep(12 * hour);
      const { previousSecretExpiresAt } = await rotate();
      await tell();
      await tell();
      await sleep(13 * hour);
      expect([await hasPrevious(), looked]).toEqual([true, []]);
      await environment.client.workflow.getHandle(workflowId()).result();
      expect([await hasPrevious(), looked.length]).toEqual([false, 1]);
      expect(looked[0]).toBeGreaterThanOrEqual(previousSecretExpiresAt.getTime());
      await rotate();
      await tell();
      await environment.client.workflow.getHandle(workflowId()).result();
      expect([await hasPrevious(), looked.length]).toEqual([false, 2]);
    });
  });

  it("no worker for the whole window: the old secret does not sign, and is erased when one is back", async () => {
    const today = await environment.currentTimeMs();
    now = today - 30 * hour;
    await rotate();
    now = today;
    expect([await hasPrevious(), await signsTwice()]).toEqual([true, false]);
    await whileWorking(environment, async () => {
      await tell();
      await environment.client.workflow.getHandle(workflowId()).result();
    });
    expect([await hasPrevious(), looked.length]).toEqual([false, 1]);
  });

  it("a monitor that is deleted meanwhile leaves nothing to erase", async () => {
    await whileWorking(environment, async () => {
      now = await environment.currentTimeMs();
      await rotate();
      await tell();
      await context.pool.transaction((transaction) => removeMonitor(transaction, caller, monitorId));
      await environment.client.workflow.getHandle(workflowId()).result();
      expect(await tell()).toBe(true);
    });
  });
});

describe("told through the outbox", () => {
  let environment: TestWorkflowEnvironment;
  beforeAll(async () => {
    environment = await createNamespace();
  });
  afterAll(() => environment?.teardown());

  it("a rotation that committed while nobody listened is found by its monitor, and its page says what it waits for", async () => {
    now = Date.now();
    const { previousSecretExpiresAt } = await rotate();
    const dispatcher = new OutboxDispatcher({
      context,
      client: environment.client,
      databaseUrl: context.databaseUrl,
      logger: pino({ level: "silent" }),
    });
    try {
      await whileWorking(environment, async () => {
        const left = () =>
          context.pool.any(
            sql.type(z.object({ kind: z.string() }))`select kind from outbox where subject = ${monitorId}`,
          );
        while ((await left()).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
        const handle = environment.client.workflow.getHandle(workflowId());
        const { status, searchAttributes } = await handle.describe();
        expect(status.name).toBe("RUNNING");
        expect(searchAttributes).toMatchObject({
          MediaMonitorId: [monitorId],
          MediaAccountId: [caller.accountId],
          MediaStage: ["waiting"],
        });
        const { currentDetails } = z
          .object({ currentDetails: z.string() })
          .parse(await handle.query("__temporal_workflow_metadata"));
        expect(currentDetails).toContain(previousSecretExpiresAt.toISOString());
      });
    } finally {
      await dispatcher.stop();
    }
  });
});
