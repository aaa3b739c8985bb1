import { z } from "zod";
import type { Alert, DeliveryAttempt } from "../../../database/alerts.ts";
import { alertStatuses, attemptOutcomes, deliveryPurposes, deliveryStatuses } from "../../../domain/alerts.ts";
import { deliveryChannels } from "../../../domain/deliveryChoice.ts";
import { entityId } from "../../../domain/entities.ts";
import { mentionId } from "../../../domain/evidence.ts";
import { alertKinds } from "../../../domain/filters/trackerFilters.ts";
import { media, shapeMedia } from "../evidence/schema.ts";

const time = z.iso.datetime();
const channel = z.enum(deliveryChannels).meta({ description: "How it goes out." });

/** What an alert says, whether it fired or would have. */
export const alertFields = {
  kind: z.enum(alertKinds).meta({ description: "Whether the entity is spoken of, or appears." }),
  mention_id: z.string().meta({ description: "The first matching mention.", example: "men_42" }),
  entity_id: z.string().meta({ description: "Whom or what it is about.", example: "ent_42" }),
  entity_name: z.string().meta({ description: "Its name at the time." }),
  media,
  start_seconds: z.number().meta({ description: "Where in the video." }),
  end_seconds: z.number().meta({ description: "Where that ends." }),
  quote: z.string().meta({ description: "What is said there." }),
  sentiment_score: z.number().nullable().meta({ description: "-1 to 1; null where there is none." }),
  mention_count: z.int().min(1).meta({ description: "Mentions of the video that matched." }),
};

export const alert = z
  .object({
    id: z.string().meta({ description: "Id of the alert.", example: "alr_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
    status: z.enum(alertStatuses).meta({
      description:
        "`pending`: no channel has taken it yet. `delivered`: one has, or none is switched on. `failed`: none did. `suppressed`: the pool could not pay, or its monitor or tracker was paused or deleted first; not delivered, not billed.",
    }),
    ...alertFields,
    monitor_id: z.string().nullable().meta({ description: "The monitor that it fired under." }),
    monitor_name: z.string().nullable().meta({ description: "Its name at the time." }),
    tracker_id: z.string().meta({ description: "The tracker that fired." }),
    rows_billed: z.int().min(0).meta({ description: "What it cost." }),
    fired_at: time.meta({ description: "When it fired." }),
    retracted_at: time.nullable().meta({
      description:
        "When a reviewer took it back, as no alert or as another one's duplicate; null: it stands. One that was taken back is not sent again: what still waits for an attempt is skipped when its turn comes, as `retracted`. What it cost stays as it was.",
    }),
    deliveries: z
      .array(
        z.object({
          channel,
          status: z.enum(deliveryStatuses).meta({ description: "Where it stands." }),
          attempts: z.int().min(0).meta({ description: "Attempts so far." }),
          response_status: z.int().nullable().meta({ description: "HTTP status of the last answer." }),
          last_attempt_at: time.nullable().meta({ description: "When it was last tried." }),
          next_attempt_at: time.nullable().meta({ description: "When it is tried next; null when it is over." }),
        }),
      )
      .meta({ description: "The newest delivery of each channel." }),
  })
  .meta({ id: "Alert" });

export function shapeAlert(record: Alert, videoUrl: string): z.input<typeof alert> {
  return {
    id: record.alertId,
    kind: record.kind,
    status: record.status,
    mention_id: mentionId(record.mentionId),
    entity_id: entityId(record.entityId),
    entity_name: record.entityName,
    monitor_id: record.monitorId,
    monitor_name: record.monitorName,
    tracker_id: record.trackerId,
    media: shapeMedia(record.media, videoUrl),
    start_seconds: record.startSeconds,
    end_seconds: record.endSeconds,
    quote: record.quote,
    sentiment_score: record.sentimentScore,
    mention_count: record.mentionCount,
    rows_billed: record.rowsBilled,
    fired_at: record.firedAt.toISOString(),
    retracted_at: record.retractedAt?.toISOString() ?? null,
    deliveries: record.deliveries.map((delivery) => ({
      channel: delivery.channel,
      status: delivery.status,
      attempts: delivery.attempts,
      response_status: delivery.responseStatus,
      last_attempt_at: delivery.lastAttemptAt?.toISOString() ?? null,
      next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    })),
  };
}

export const attempt = z
  .object({
    id: z.string().meta({ description: "Id of the attempt.", example: "123" }),
    delivery_id: z
      .string()
      .meta({ description: "What it tried to deliver.", example: "dlv_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
    alert_id: z.string().nullable().meta({ description: "The alert; null for a test." }),
    event_id: z.string().meta({ description: "Id of the event, the same on every attempt." }),
    channel,
    purpose: z.enum(deliveryPurposes).meta({ description: "Why it is delivered." }),
    attempt: z.int().min(1).meta({ description: "1 for the first of its delivery." }),
    outcome: z.enum(attemptOutcomes).meta({ description: "How it ended." }),
    at: time.meta({ description: "When it began." }),
    latency_ms: z.int().nullable().meta({ description: "Milliseconds that it took." }),
    response_status: z
      .int()
      .nullable()
      .meta({ description: "HTTP status, or the reply code of a mail server; null where none came." }),
    response_excerpt: z.string().nullable().meta({ description: "How the answer's body begins." }),
    error_kind: z.string().nullable().meta({
      description:
        "What went wrong where no answer says it (`timeout`, `unknown_host`, `unreachable`, `tls`, `broken`, `refused_target`, `refused`, `internal`), or why nothing was sent (`retracted`: a reviewer took the alert back; `webhook_disabled`, `channel_off`, `monitor_paused`, …).",
    }),
  })
  .meta({ id: "DeliveryAttempt" });

export function shapeAttempt(record: DeliveryAttempt): z.input<typeof attempt> {
  return {
    id: String(record.attemptId),
    delivery_id: record.deliveryId,
    alert_id: record.alertId,
    event_id: record.eventId,
    channel: record.channel,
    purpose: record.purpose,
    attempt: record.number,
    outcome: record.outcome,
    at: record.at.toISOString(),
    latency_ms: record.latencyMilliseconds,
    response_status: record.responseStatus,
    response_excerpt: record.responseExcerpt,
    error_kind: record.errorKind,
  };
}
