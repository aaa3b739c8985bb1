import { z } from "zod";
import type { Monitor } from "../../../database/monitors.ts";
import type { DeliveryFeature } from "../../../domain/plans.ts";
import type { Asked } from "../../http/asked.ts";
import { noControlCharacters } from "../../http/parameters.ts";

/** Any text may be an id that was given once; one that was not is 404. */
export const monitorId = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: "Id of the monitor.", example: "mon_01k4z8m3v9f0k8xqj7t2w5n6cd" });
export const trackerId = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: "Id of the tracker.", example: "trk_01k4z8m3v9f0k8xqj7t2w5n6cd" });

export const monitorPath = z.strictObject({ id: monitorId });

const shortText = (longest: number) =>
  z.string().min(1).max(longest).regex(noControlCharacters, "must hold no control characters");

/** Fields of a monitor or tracker that say where alerts go. */
export const targetFields = {
  webhookUrl: z.string().min(1).max(2000).meta({
    description: "Where webhooks go: http or https, no credentials, no private address.",
    example: "https://example.com/hooks/alerts",
  }),
  chatChannelId: shortText(200).meta({ description: "Channel that a bot writes to.", example: "C0123456789" }),
  chatIntegrationId: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: "One of the account's chat integrations.", example: "chi_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
};

const name = shortText(200).meta({ description: "What alerts and lists call it.", example: "Competitors" });
const notifyEmail = z.boolean().meta({ description: "Whether alerts are mailed." });
const notifyChat = z.boolean().meta({ description: "Whether alerts go to a chat. Paid plans only." });
const notifyWebhook = z.boolean().meta({ description: "Whether alerts are posted to `webhookUrl`. Paid plans only." });
const isPaused = z.boolean().meta({ description: "A paused monitor's trackers stay silent and bill nothing." });
const emailAddresses = z
  .array(z.email().max(320))
  .max(20)
  .meta({ description: "Where mail goes; empty: the account's own address.", example: ["press@example.com"] });
export const displayName = shortText(200).meta({
  description: "What alerts and lists call it; unset: the entity's name.",
  example: "Ada in the news",
});

export const newMonitor = z
  .strictObject({
    name,
    isPaused: isPaused.default(false),
    notifyEmail: notifyEmail.default(true),
    emailAddresses: emailAddresses.default([]),
    notifyChat: notifyChat.default(false),
    chatIntegrationId: targetFields.chatIntegrationId.nullable().default(null),
    chatChannelId: targetFields.chatChannelId.nullable().default(null),
    notifyWebhook: notifyWebhook.default(false),
    webhookUrl: targetFields.webhookUrl.nullable().default(null),
  })
  .meta({
    id: "NewMonitor",
    example: { name: "Competitors", notifyWebhook: true, webhookUrl: "https://example.com/hooks/alerts" },
  });

export const monitorChange = z
  .strictObject({
    name: name.optional(),
    isPaused: isPaused.optional(),
    notifyEmail: notifyEmail.optional(),
    emailAddresses: emailAddresses.optional(),
    notifyChat: notifyChat.optional(),
    chatIntegrationId: targetFields.chatIntegrationId.nullable().optional(),
    chatChannelId: targetFields.chatChannelId.nullable().optional(),
    notifyWebhook: notifyWebhook.optional().meta({
      description:
        "Whether alerts are posted to `webhookUrl`. true also turns a webhook on again that was disabled after failures, and clears its failure counter. Paid plans only.",
    }),
    webhookUrl: targetFields.webhookUrl.nullable().optional(),
  })
  .meta({ id: "MonitorChange", description: "The fields to change; null unsets.", example: { isPaused: true } });

/** The delivery feature that a body turns on, of monitors and trackers alike. */
export function featureOf(body: Asked["body"]): DeliveryFeature | null {
  if (body["notifyWebhook"] === true) return "webhook";
  return body["notifyChat"] === true ? "chat" : null;
}

const time = z.iso.datetime();
const secret = z.string().meta({
  description: "Secret that webhooks are signed with: shown this once.",
  example: "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=",
});
const previousSecretExpiresAt = time
  .nullable()
  .meta({ description: "After a rotation: until when the secret before this one signs too." });

const example = {
  id: "mon_01k4z8m3v9f0k8xqj7t2w5n6cd",
  name: "Competitors",
  isPaused: false,
  pausedAt: null,
  notifyEmail: true,
  emailAddresses: [],
  notifyChat: false,
  chatIntegrationId: null,
  chatChannelId: null,
  notifyWebhook: true,
  webhookUrl: "https://example.com/hooks/alerts",
  webhookSecretSet: true,
  webhookSecretHint: "wcE=",
  webhookDisabledAt: null,
  webhookDisabledReason: null,
  webhookFailureCount: 0,
  previousSecretExpiresAt: null,
  trackerIds: ["trk_01k4z8m3v9f0k8xqj7t2w5n6cd"],
  lastNotifiedAt: null,
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};

export const monitor = z
  .object({
    id: monitorId,
    name,
    isPaused,
    pausedAt: time.nullable().meta({ description: "When it was paused; null while it is not." }),
    notifyEmail,
    emailAddresses,
    notifyChat,
    chatIntegrationId: targetFields.chatIntegrationId.nullable(),
    chatChannelId: targetFields.chatChannelId.nullable(),
    notifyWebhook,
    webhookUrl: targetFields.webhookUrl.nullable(),
    webhookSecretSet: z.boolean().meta({ description: "Whether there is a secret that webhooks are signed with." }),
    webhookSecretHint: z
      .string()
      .nullable()
      .meta({ description: "Last four characters of the secret.", example: "wcE=" }),
    webhookDisabledAt: time
      .nullable()
      .meta({ description: "When the webhook was disabled after failures; `notifyWebhook: true` turns it on again." }),
    webhookDisabledReason: z.string().nullable().meta({ description: "Why it was disabled." }),
    webhookFailureCount: z.int().min(0).meta({ description: "Failed attempts since the last success." }),
    previousSecretExpiresAt,
    trackerIds: z.array(trackerId).meta({ description: "Its trackers." }),
    lastNotifiedAt: time.nullable().meta({ description: "When an alert of it was last delivered." }),
    createdAt: time.meta({ description: "When it was made." }),
    updatedAt: time.meta({ description: "When its settings last changed." }),
  })
  .meta({ id: "Monitor", example });

export const wrappedMonitor = z
  .object({ monitor: monitor.meta({ description: "The monitor as it is now." }) })
  .meta({ id: "WrappedMonitor" });

export const writtenMonitor = z
  .object({
    monitor: monitor
      .extend({ webhookSecret: secret.optional() })
      .meta({ id: "WrittenMonitor", example, description: "The monitor as it is now." }),
  })
  .meta({ id: "WrappedWrittenMonitor" });

export const rotatedSecret = z
  .object({
    monitor: monitor.meta({ description: "The monitor as it is now." }),
    webhookSecret: secret,
    previousSecretExpiresAt: time.meta({ description: "Until when the secret before this one signs too." }),
  })
  .meta({ id: "RotatedSecret" });

export const attachment = z
  .strictObject({
    trackerIds: z
      .array(trackerId.regex(/^[!-~]+$/, "must be an id as its creation answered with"))
      .min(1)
      .max(1000)
      .meta({ description: "Trackers of this account." }),
  })
  .meta({ id: "TrackerAttachment", example: { trackerIds: ["trk_01k4z8m3v9f0k8xqj7t2w5n6cd"] } });

export const deleted = z
  .object({
    id: z.string().meta({ description: "What was deleted." }),
    deleted: z.literal(true).meta({ description: "Always true." }),
  })
  .meta({ id: "Deleted" });

/** `now` decides whether a previous secret still signs. */
export function shapeMonitor(record: Monitor, now: Date): z.input<typeof monitor> {
  const { previousSecretExpiresAt: expiresAt } = record;
  return {
    id: record.monitorId,
    name: record.name,
    isPaused: record.pausedAt !== null,
    pausedAt: record.pausedAt?.toISOString() ?? null,
    notifyEmail: record.notifyEmail,
    emailAddresses: record.emailAddresses,
    notifyChat: record.notifyChat,
    chatIntegrationId: record.chatIntegrationId,
    chatChannelId: record.chatChannelId,
    notifyWebhook: record.notifyWebhook,
    webhookUrl: record.webhookUrl,
    webhookSecretSet: record.webhookSecretSet,
    webhookSecretHint: record.webhookSecretHint,
    webhookDisabledAt: record.webhookDisabledAt?.toISOString() ?? null,
    webhookDisabledReason: record.webhookDisabledReason,
    webhookFailureCount: record.webhookFailureCount,
    previousSecretExpiresAt: expiresAt !== null && expiresAt > now ? expiresAt.toISOString() : null,
    trackerIds: record.trackerIds,
    lastNotifiedAt: record.lastNotifiedAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
