import { expect, it } from "@jest/globals";
import { appearanceEvent, mentionEvent, testEvent } from "../../api/v1/monitors/eventSchema.ts";
import { type AlertEvent, alertEventBody, testEventBody } from "../../domain/delivery/webhookEvent.ts";
import { describedApi } from "../client/document.ts";

const event: AlertEvent = {
  eventId: "evt_1",
  alertId: "alr_1",
  kind: "mention",
  firedAt: new Date("2026-03-01T12:00:00Z"),
  rowsBilled: 100,
  monitor: { id: "mon_1", name: "Press" },
  trackerId: "trk_1",
  entity: { numericId: 42, name: "Ada Lovelace", type: "person" },
  mention: { numericId: 7, quote: "Ada wrote it.", sentimentScore: 0.5, confidence: 0.9 },
  startSeconds: 65.9,
  endSeconds: 70.2,
  role: null,
  media: {
    videoId: "dQw4w9WgXcQ",
    title: "Early machines",
    publishedAt: new Date("2026-01-31T12:00:00Z"),
    channel: { id: "UC1", name: "History Hour" },
    url: "https://video.example/watch?v=dQw4w9WgXcQ",
  },
};

it.each([
  ["a mention", mentionEvent, alertEventBody(event)],
  ["an appearance", appearanceEvent, alertEventBody({ ...event, kind: "appearance", role: "guest" })],
  [
    "a mention of a tracker without a monitor, in a video that little is known of",
    mentionEvent,
    alertEventBody({ ...event, monitor: null, media: { ...event.media, title: null, publishedAt: null } }),
  ],
  ["a test", testEvent, testEventBody({ eventId: "evt_1", at: new Date(0), monitor: { id: "mon_1", name: "Press" } })],
])("what is posted of %s is what the document describes, field by field", (_what, schema, body) => {
  expect(schema.parse(JSON.parse(body))).toEqual(JSON.parse(body));
});

it("the document has each kind of event with the headers that sign it", () => {
  const { webhooks = {} } = describedApi();
  expect(Object.keys(webhooks)).toEqual(["alert.mention", "alert.appearance", "webhook.test"]);
  for (const path of Object.values(webhooks)) {
    const names = path.post?.parameters?.map((parameter) => ("name" in parameter ? parameter.name : ""));
    expect(names).toEqual([
      "X-Service-Signature",
      "X-Service-Signature-Previous",
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
    ]);
  }
});
