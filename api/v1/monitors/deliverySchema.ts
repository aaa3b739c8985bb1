import { z } from "zod";
import type { RequestedDelivery } from "../../../services/alerts/testWebhook.ts";
import { monitorPath } from "./schema.ts";

const time = z.iso.datetime();
const channel = z.literal("webhook").meta({ description: "How it goes out." });
const status = z
  .literal("pending")
  .meta({ description: "It goes out in a moment; `GET /v1/monitors/{id}/deliveries` shows each attempt." });

const deliveryFields = {
  id: z
    .string()
    .meta({ description: "Id of the delivery; its attempts carry it.", example: "dlv_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
  event_id: z.string().meta({ description: "Id of the event.", example: "evt_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
  channel,
  status,
  created_at: time.meta({ description: "When it was asked for." }),
};

export const testDelivery = z
  .object({
    delivery: z
      .object({ ...deliveryFields, purpose: z.literal("test").meta({ description: "Why it is sent." }) })
      .meta({ id: "TestDelivery", description: "The test that is on its way." }),
  })
  .meta({ id: "WrappedTestDelivery" });

const redelivery = z.literal("redelivery").meta({ description: "Why it is sent." });

export const alertRedelivery = z
  .object({
    delivery: z
      .object({
        ...deliveryFields,
        alert_id: z
          .string()
          .meta({ description: "The alert that is sent again.", example: "alr_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
        purpose: redelivery,
      })
      .meta({
        id: "AlertRedelivery",
        description: "The redelivery that is on its way, under the alert's own event id.",
      }),
  })
  .meta({ id: "WrappedAlertRedelivery" });

export const spanRedelivery = z
  .object({
    delivery: z
      .object({
        channel,
        purpose: redelivery,
        status,
        count: z.int().min(0).meta({ description: "How many alerts are sent again." }),
        from: time.meta({ description: "Start of the span." }),
        to: time.meta({ description: "End of the span." }),
      })
      .meta({ id: "SpanRedelivery", description: "What is on its way." }),
  })
  .meta({ id: "WrappedSpanRedelivery" });

const earliest = 0;
const latest = Date.UTC(9999, 11, 31);
/** Not every year that can be written is one that Postgres takes. */
const moment = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) >= earliest && Date.parse(text) <= latest, "must be of the years 1970 to 9999");

export const span = z
  .strictObject({
    from: moment.meta({ description: "Alerts that fired from then on: a time in RFC 3339." }),
    to: moment.meta({ description: "Alerts that fired until then, this moment included: a time in RFC 3339." }),
  })
  .meta({ id: "AlertSpan", example: { from: "2026-11-20T08:00:00Z", to: "2026-11-21T08:00:00Z" } });

export const alertPath = monitorPath.extend({
  alert_id: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: "Id of the alert.", example: "alr_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
});

export function shapeDelivery({ deliveryId, eventId, requestedAt }: RequestedDelivery) {
  return {
    id: deliveryId,
    event_id: eventId,
    channel: "webhook" as const,
    status: "pending" as const,
    created_at: requestedAt.toISOString(),
  };
}
