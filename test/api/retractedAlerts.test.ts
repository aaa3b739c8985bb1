import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { sql } from "../../database/pool.ts";
import { createFiredAlert } from "../builders/feedback.ts";
import { type Edge, startEdge } from "./edge.ts";
import { createReviewScene, type ReviewScene } from "./reviewScene.ts";

let edge: Edge;
let scene: ReviewScene;
let monitorId: string;
let alertId: string;
let otherId: string;
beforeAll(async () => {
  edge = await startEdge({ settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
});
afterAll(() => edge.close());
beforeEach(async () => {
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
