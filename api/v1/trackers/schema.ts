import { z } from "zod";
import type { Tracker } from "../../../database/trackers.ts";
import { deliveryChoice, type TrackerDelivery } from "../../../domain/deliveryChoice.ts";
import { entityId } from "../../../domain/entities.ts";
import { entityGroup } from "../../../domain/evidence.ts";
import { trackerFilters } from "../../../domain/filters/trackerFilters.ts";
import { noControlCharacters } from "../../http/parameters.ts";
import { displayName, monitorId, targetFields, trackerId } from "../monitors/schema.ts";

export const trackerPath = z.strictObject({ id: trackerId });

const overrides = {
  notifyEmail: z
    .boolean()
    .nullable()
    .optional()
    .meta({ description: "Whether its alerts are mailed. Unset or null: as its monitor says; without one, yes." }),
  notifyWebhook: z.boolean().nullable().optional().meta({
    description:
      "Whether its alerts are posted. Unset or null: as its monitor says. true needs a monitor whose secret signs. Paid plans only.",
  }),
  notifyChat: z
    .boolean()
    .nullable()
    .optional()
    .meta({ description: "Whether its alerts go to a chat. Unset or null: as its monitor says. Paid plans only." }),
  webhookUrl: targetFields.webhookUrl
    .nullable()
    .optional()
    .meta({ description: "Where its webhooks go, in place of its monitor's URL; signed with its monitor's secret." }),
  chatChannelId: targetFields.chatChannelId
    .nullable()
    .optional()
    .meta({ description: "Channel for its alerts, in place of its monitor's." }),
  chatIntegrationId: targetFields.chatIntegrationId
    .nullable()
    .optional()
    .meta({ description: "Chat integration for its alerts, in place of its monitor's." }),
};

export const newTracker = z
  .strictObject({
    entityName: z
      .string()
      .min(1)
      .max(500)
      .regex(noControlCharacters, "must hold no control characters")
      .meta({ description: "Whom or what to watch, by name or alias.", example: "Ada Lovelace" }),
    entityType: z
      .enum(["person", "organization", "product", "topic", "channel"])
      .meta({ description: "What it is.", example: "person" }),
    displayName: displayName.nullable().optional(),
    ...overrides,
    filters: trackerFilters.optional(),
  })
  .meta({
    id: "NewTracker",
    example: { entityName: "Ada Lovelace", entityType: "person", filters: { query: "engine*" } },
  });

export const trackerPreview = newTracker
  .extend({
    days: z.int().min(1).max(30).default(7).meta({ description: "How many UTC days back, today included." }),
  })
  .meta({ id: "TrackerPreview", example: { entityName: "Ada Lovelace", entityType: "person", days: 30 } });

export const trackerChange = z
  .strictObject({
    displayName: displayName.nullable().optional(),
    ...overrides,
    filters: trackerFilters.optional().meta({ description: "Takes the place of the filters that were there." }),
    isPaused: z.boolean().optional().meta({
      description: "A paused tracker stays silent and bills nothing; what is said meanwhile is not made up for.",
    }),
  })
  .meta({
    id: "TrackerChange",
    description: "The fields to change; null inherits the monitor's again.",
    example: { isPaused: true },
  });

const time = z.iso.datetime();
const deliveries = (how: string) =>
  z
    .int()
    .min(0)
    .meta({ description: `Alerts delivered by ${how}.` });

export const tracker = z
  .object({
    id: trackerId,
    entityId: z.string().meta({ description: "The entity that it watches, merges followed.", example: "ent_42" }),
    entityName: z.string().meta({ description: "Its name.", example: "Ada Lovelace" }),
    entityType: z.string().meta({ description: "Its type.", example: "person" }),
    displayName: z
      .string()
      .meta({ description: "What alerts and lists call the tracker; unless set, the entity's name." }),
    notifyEmail: z.boolean().meta({ description: "Whether its alerts are mailed, its monitor's setting included." }),
    notifyWebhook: z.boolean().meta({ description: "Whether its alerts are posted, its monitor's setting included." }),
    notifyChat: z.boolean().meta({ description: "Whether its alerts go to a chat, its monitor's setting included." }),
    webhookUrl: z.string().nullable().meta({ description: "Its own URL; null: its monitor's." }),
    chatChannelId: z.string().nullable().meta({ description: "Its own channel; null: its monitor's." }),
    chatIntegrationId: z.string().nullable().meta({ description: "Its own chat integration; null: its monitor's." }),
    overrides: z
      .array(z.enum(["notifyEmail", "notifyWebhook", "notifyChat", "webhookUrl", "chatChannelId", "chatIntegrationId"]))
      .meta({ description: "The delivery fields that are set on the tracker itself; the others are inherited." }),
    filters: z
      .record(z.string(), z.unknown())
      .meta({ description: "What narrows its matches, as it was given.", example: { query: "engine*" } }),
    isPaused: z.boolean().meta({ description: "Whether it is paused." }),
    pausedAt: time.nullable().meta({ description: "When it was paused; null while it is not." }),
    lastNotifiedAt: time.nullable().meta({ description: "When an alert of it was last delivered." }),
    createdAt: time.meta({ description: "When it was made." }),
    updatedAt: time.meta({ description: "When its settings last changed." }),
    emailDeliveryCount: deliveries("mail"),
    webhookDeliveryCount: deliveries("webhook"),
    chatDeliveryCount: deliveries("chat"),
    monitorId: monitorId.nullable().meta({ description: "The monitor that it is under; null for none." }),
  })
  .meta({ id: "Tracker" });

export const wrappedTracker = z
  .object({ tracker: tracker.meta({ description: "The tracker as it is now." }) })
  .meta({ id: "WrappedTracker" });

export const createdTracker = z
  .object({
    tracker: tracker.meta({ description: "The tracker." }),
    message: z
      .string()
      .meta({ description: "What was done, for people.", example: "Now tracking Ada Lovelace (person)." }),
  })
  .meta({ id: "CreatedTracker" });

/** The delivery fields that a body sets. */
export function ownDelivery(body: {
  [field in keyof TrackerDelivery]?: TrackerDelivery[field] | undefined;
}): Partial<TrackerDelivery> {
  return {
    ...(body.notifyEmail !== undefined && { notifyEmail: body.notifyEmail }),
    ...(body.notifyWebhook !== undefined && { notifyWebhook: body.notifyWebhook }),
    ...(body.notifyChat !== undefined && { notifyChat: body.notifyChat }),
    ...(body.webhookUrl !== undefined && { webhookUrl: body.webhookUrl }),
    ...(body.chatChannelId !== undefined && { chatChannelId: body.chatChannelId }),
    ...(body.chatIntegrationId !== undefined && { chatIntegrationId: body.chatIntegrationId }),
  };
}

export function shapeTracker(record: Tracker): z.input<typeof tracker> {
  const { delivery } = record;
  const choice = deliveryChoice(delivery, record.monitor);
  const set = (
    ["notifyEmail", "notifyWebhook", "notifyChat", "webhookUrl", "chatChannelId", "chatIntegrationId"] as const
  ).filter((field) => delivery[field] !== null);
  return {
    id: record.trackerId,
    entityId: entityId(record.entityId),
    entityName: record.entityName,
    entityType: entityGroup(record.entityType),
    displayName: record.displayName ?? record.entityName,
    notifyEmail: choice.notifyEmail,
    notifyWebhook: choice.notifyWebhook,
    notifyChat: choice.notifyChat,
    webhookUrl: delivery.webhookUrl,
    chatChannelId: delivery.chatChannelId,
    chatIntegrationId: delivery.chatIntegrationId,
    overrides: set,
    filters: record.filters,
    isPaused: record.pausedAt !== null,
    pausedAt: record.pausedAt?.toISOString() ?? null,
    lastNotifiedAt: record.lastNotifiedAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    emailDeliveryCount: record.emailDeliveryCount,
    webhookDeliveryCount: record.webhookDeliveryCount,
    chatDeliveryCount: record.chatDeliveryCount,
    monitorId: record.monitorId,
  };
}
