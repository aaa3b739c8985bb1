import { z } from "zod";
import { webhookApiVersion } from "../../../domain/delivery/webhookEvent.ts";
import { appearanceRoles } from "../../../domain/evidence.ts";
import { entityReference, media } from "../evidence/schema.ts";

const eventFields = {
  id: z.string().meta({
    description: "Id of the event, the same on every retry and redelivery: drop what you have seen.",
    example: "evt_01k4z8m3v9f0k8xqj7t2w5n6cd",
  }),
  createdAt: z.iso.datetime().meta({ description: "When the alert fired, or the test was asked for." }),
  apiVersion: z.string().meta({
    description: "Version of this layout. Fields may be added within it: ignore what you do not know.",
    example: webhookApiVersion,
  }),
};
const monitorId = "The monitor it fired under.";
const monitorName = "The monitor's name.";
const seconds = (description: string) => z.int().meta({ description });

const alertFields = {
  ...eventFields,
  monitorId: z.string().nullable().meta({ description: monitorId, example: "mon_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
  monitor_id: z.string().nullable().meta({ description: "Equals `monitorId`." }),
  monitor_name: z.string().nullable().meta({ description: monitorName, example: "Competitors" }),
  trackerId: z.string().meta({ description: "The tracker that fired.", example: "trk_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
  alert: z
    .object({
      id: z.string().meta({ description: "Of the alert list.", example: "alr_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
      rowsBilled: z.int().min(0).meta({ description: "What the alert cost, once." }),
    })
    .meta({ description: "The alert." }),
  entity: entityReference.meta({ description: "Whom or what it is about." }),
  mention: z
    .object({
      id: z.string().meta({ description: "The first mention that matched.", example: "men_42" }),
      quote: z.string().meta({ description: "What is said there." }),
      sentimentScore: z.number().nullable().meta({ description: "-1 to 1; null where there is none." }),
      confidence: z.number().meta({ description: "0 to 1." }),
    })
    .meta({ description: "What matched." }),
  appearance: z
    .object({
      timestampSeconds: seconds("Where in the video, in whole seconds."),
      endSeconds: seconds("Where that ends, in whole seconds."),
      role: z.enum(appearanceRoles).nullable().meta({ description: "Of an appearance; null for a mention." }),
    })
    .meta({ description: "The moment in the video, of mentions too." }),
  media: media.meta({ description: "The video." }),
};

export const mentionEvent = z
  .object({ ...alertFields, type: z.literal("alert.mention").meta({ description: "Kind of the event." }) })
  .meta({ id: "AlertMentionEvent" });

export const appearanceEvent = z
  .object({ ...alertFields, type: z.literal("alert.appearance").meta({ description: "Kind of the event." }) })
  .meta({ id: "AlertAppearanceEvent" });

export const testEvent = z
  .object({
    ...eventFields,
    type: z.literal("webhook.test").meta({ description: "Kind of the event." }),
    monitorId: z.string().meta({ description: "The monitor whose webhook is tried out." }),
    monitor_id: z.string().meta({ description: "Equals `monitorId`." }),
    monitor_name: z.string().meta({ description: monitorName }),
  })
  .meta({ id: "WebhookTestEvent" });
