import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { attemptDelivery } from "../../services/alerts/attemptDelivery.ts";
import { createTestParts } from "../builders/alerts.ts";
import { createFiredAlert } from "../builders/feedback.ts";
import { loopbackToo, type Receiver, startReceiver } from "../builders/receiver.ts";
import { type Edge, startEdge } from "./edge.ts";
import { createReviewScene, type ReviewScene } from "./reviewScene.ts";

let edge: Edge;
let scene: ReviewScene;
let monitorId: string;
let alertId: string;
let otherId: string;
let receiver: Receiver;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
  receiver = await startReceiver(() => ({ status: 500 }));
});
afterAll(async () => {
  await receiver?.close();
  await edge?.close();
});
beforeEach(async () => {
  receiver.received.length = 0;
  scene = await createReviewScene(edge);
  const { owner, videoId, company } = scene;
  const hook = { notifyWebhook: true, webhookUrl: "https://hooks.example.com/in" };
  monitorId = (await post("/v1/monitors", { name: "Watch", ...hook })).json.monitor.id;
  const about = { videoId, entityId: company, monitorId };
  alertId = await createFiredAlert(edge.context, owner.accountId, about);
  otherId = await createFiredAlert(edge.context, owner.accountId, about);
  await edge.context.pool.query(
    sql.typeAlias("void")`update alert_occurrence set begun_at = now() where monitor_id = ${monitorId}`,
  );
});

const post = (path: string, body?: unknown) => edge.call("POST", path, { key: scene.owner.key, body });
const fromNow = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
/** What asking for the alert again, and for all of the hour, answers. */
async function sendAgain() {
  const span = await post(`/v1/monitors/${monitorId}/redeliver`, { from: fromNow(-3_600_000), to: fromNow(3_600_000) });
  const one = await post(`/v1/monitors/${monitorId}/alerts/${alertId}/redeliver`);
  await edge.context.pool.query(sql.typeAlias("void")`delete from alert_delivery where monitor_id = ${monitorId}`);
  return [one.status, one.json.error?.code, one.json.error?.message, span.json.delivery.count];
}

it.each(["false_positive", "duplicate_alert"])(
  "an alert that a reviewer took back as %s is not sent again until that is reverted, and says why",
  async (issue) => {
    const change = issue === "duplicate_alert" ? { change: { duplicate_of: otherId } } : {};
    const { before, applied, after } = await scene.throughReview(
      { kind: "alert", id: alertId, issue, ...change },
      sendAgain,
    );
    expect(before).toEqual([202, undefined, undefined, 2]);
    expect(applied).toEqual([409, "illegal_transition", expect.stringContaining("took this alert back"), 1]);
    expect(after).toEqual(before);
  },
);

/** Makes attempts at the alert's one delivery, as its workflow does when their time has come. */
async function attempts() {
  const { json } = await post(`/v1/monitors/${monitorId}/alerts/${alertId}/redeliver`);
  await edge.context.pool.query(
    sql.typeAlias("void")`update monitor set webhook_url = ${`${receiver.url}/hook`} where id = ${monitorId}`,
  );
  const context = { ...edge.context, outbound: loopbackToo };
  const parts = createTestParts(context);
  let number = 0;
  return async () => {
    number += 1;
    const progress = await attemptDelivery(context, parts, { deliveryId: json.delivery.id, number });
    return [progress?.status, progress?.reason, receiver.received.length];
  };
}

it("what waits for another attempt when a reviewer takes the alert back is skipped then, and stays so when that is reverted", async () => {
  const attempt = await attempts();
  const { before, applied, after } = await scene.throughReview(
    { kind: "alert", id: alertId, issue: "false_positive" },
    attempt,
  );
  expect([before, applied, after]).toEqual([
    ["pending", "the answer was 500", 1],
    ["skipped", "retracted", 1],
    ["skipped", "retracted", 1],
  ]);
  const log = await edge.call("GET", `/v1/monitors/${monitorId}/deliveries`, { key: scene.owner.key });
  expect(log.json.data).toMatchObject([
    { outcome: "skipped", error_kind: "retracted" },
    { outcome: "failed", error_kind: null },
  ]);
  expect((await post(`/v1/monitors/${monitorId}/alerts/${alertId}/redeliver`)).status).toBe(202);
});

it("what still waits when that is reverted goes on", async () => {
  const attempt = await attempts();
  await attempt();
  await scene.throughReview({ kind: "alert", id: alertId, issue: "false_positive" }, async () => null);
  expect(await attempt()).toEqual(["pending", "the answer was 500", 2]);
});
