import type { IncomingHttpHeaders } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { z } from "zod";
import { sql } from "../../database/pool.ts";
import { rotationWindowSeconds } from "../../domain/signatures.ts";
import { beginAlert } from "../../services/alerts/begin.ts";
import { matchTrackers } from "../../services/alerts/matchTrackers.ts";
import type { Caller } from "../../services/context.ts";
import { rotateSecret } from "../../services/monitors/rotateSecret.ts";
import { createTestParts, type TestParts } from "../builders/alerts.ts";
import { createCaller, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { createNamedEntity, createTestMonitor, createTestTracker } from "../builders/monitors.ts";
import { loopbackToo, type ReceivedRequest, type Receiver, startReceiver } from "../builders/receiver.ts";

const entities = 50;
const deliveries = 2000;
const clients = 8;

let now: () => number;
let context: TestContext;
let parts: TestParts;
let receiver: Receiver;
beforeAll(async () => {
  context = await createTestContext({ clock: () => new Date(now()), outbound: loopbackToo });
  parts = createTestParts(context);
});
afterAll(() => context?.close());
beforeEach(async () => {
  now = Date.now;
  receiver = await startReceiver();
});
afterEach(() => receiver?.close());

/** A monitor with a webhook, and its secret. */
async function createHook(): Promise<{ caller: Caller; monitorId: string; secret: string }> {
  const caller = await createCaller(context, { tier: "enterprise" });
  const hook = { notifyEmail: false, notifyWebhook: true, webhookUrl: receiver.url };
  const { monitor, webhookSecret } = await createTestMonitor(context, caller, hook);
  return { caller, monitorId: monitor.monitorId, secret: webhookSecret ?? "" };
}

/** So many occurrences of a monitor, and their event ids. */
async function fireMany(
  hook: { caller: Caller; monitorId: string },
  occurrences: number,
): Promise<readonly { id: string; event_id: string }[]> {
  const { caller, monitorId } = hook;
  const watched = Array.from({ length: Math.min(entities, occurrences) }, (_, index) => `${monitorId} ${index}`);
  const entityIds: number[] = [];
  for (const entityName of watched) {
    entityIds.push(await createNamedEntity(context, entityName));
    await createTestTracker(context, caller, { entityName, monitorId });
  }
  for (let fired = 0; fired < occurrences;) {
    const videoId = await createVideo(context);
    for (const entityId of entityIds) await createMention(context, { videoId, entityId });
    fired += await context.pool.transaction((transaction) => matchTrackers(transaction, videoId, new Map()));
  }
  return context.pool.any(sql.type(z.object({ id: z.string(), event_id: z.string() }))`
    select id, event_id from alert_occurrence where monitor_id = ${monitorId} order by id limit ${occurrences}`);
}

const rotate = ({ caller, monitorId }: { caller: Caller; monitorId: string }) =>
  context.pool.transaction((transaction) => rotateSecret(context, transaction, caller, monitorId));

const header = (headers: IncomingHttpHeaders, name: string) => {
  const value = headers[name];
  return typeof value === "string" ? value : "";
};
const attempt = (check: () => unknown) => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

/** What a receiver with one secret makes of a request: by either family of headers, and by the first of them alone. */
function verdict({ headers, body }: ReceivedRequest, secret: string) {
  const stripe = (name: string) => attempt(() => Stripe.webhooks.constructEvent(body, header(headers, name), secret));
  const standard = attempt(() =>
    new Webhook(secret).verify(body, {
      "webhook-id": header(headers, "webhook-id"),
      "webhook-timestamp": header(headers, "webhook-timestamp"),
      "webhook-signature": header(headers, "webhook-signature"),
    }),
  );
  const [first, previous] = [stripe("x-service-signature"), stripe("x-service-signature-previous")];
  return { first, both: first || previous, standard };
}

it("a rotation under traffic: no delivery is refused by who knows the old secret, and none after its answer by who knows the new", async () => {
  const hook = await createHook();
  const occurrences = [...(await fireMany(hook, deliveries))];
  const begunAfterAnswer = new Set<string>();
  let left = occurrences.length;
  let rotation: ReturnType<typeof rotate> | null = null;
  let newSecret: string | null = null;
  const client = async () => {
    for (let next = occurrences.pop(); next !== undefined; next = occurrences.pop()) {
      if (newSecret !== null) begunAfterAnswer.add(next.event_id);
      const begun = await beginAlert(context, parts, next.id);
      expect(begun).toMatchObject({ kind: "begun", deliveries: [{ status: "succeeded" }] });
      left -= 1;
      if (left > deliveries / 2 || rotation !== null) continue;
      rotation = rotate(hook);
      newSecret = (await rotation).webhookSecret;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));

  const answered = newSecret ?? "";
  const verdicts = receiver.received.map((request) => ({
    isAfter: begunAfterAnswer.has(header(request.headers, "webhook-id")),
    old: verdict(request, hook.secret),
    new: verdict(request, answered),
  }));
  expect(verdicts).toHaveLength(deliveries);
  expect(verdicts.filter(({ old }) => !old.both || !old.standard)).toEqual([]);
  const after = verdicts.filter(({ isAfter }) => isAfter);
  expect(after.length).toBeGreaterThan(deliveries / 4);
  expect(after.filter((of) => !of.new.first || !of.new.both || !of.new.standard || of.old.first)).toEqual([]);
  // Before, only the old secret signs; what was under way during the rotation is signed by either, alone or beside the other.
  const before = verdicts.filter(({ isAfter }) => !isAfter);
  expect(before.filter((of) => of.old.first === of.new.first)).toEqual([]);
  expect(before.filter((of) => of.old.first).length).toBeGreaterThanOrEqual(deliveries / 2);
}, 180_000);

it("the old secret signs to the last millisecond of 24 h, and not at 24 h 0 s", async () => {
  const hook = await createHook();
  const occurrences = await fireMany(hook, 2);
  const end = Date.now();
  now = () => end - rotationWindowSeconds * 1000;
  const { webhookSecret } = await rotate(hook);
  for (const [index, at] of [end - 1, end].entries()) {
    now = () => at;
    await beginAlert(context, parts, occurrences[index]?.id ?? "");
  }
  const [before, after] = receiver.received.map((request) => [
    verdict(request, hook.secret),
    verdict(request, webhookSecret),
  ]);
  expect(before).toEqual([
    { first: false, both: true, standard: true },
    { first: true, both: true, standard: true },
  ]);
  expect(after).toEqual([
    { first: false, both: false, standard: false },
    { first: true, both: true, standard: true },
  ]);
});
