import { entityId, type EntityType } from "../entities.ts";
import { type AppearanceRole, mentionId } from "../evidence.ts";

/** Version of the payload's layout; changes within it are additive. */
export const webhookApiVersion = "1.2.0";

/** What an alert tells a program. Times in seconds of the video. */
export interface AlertEvent {
  eventId: string;
  alertId: string;
  kind: "mention" | "appearance";
  firedAt: Date;
  rowsBilled: number;
  monitor: { id: string; name: string } | null;
  trackerId: string;
  entity: { numericId: number; name: string; type: EntityType };
  mention: { numericId: number; quote: string; sentimentScore: number | null; confidence: number };
  startSeconds: number;
  endSeconds: number;
  role: AppearanceRole | null;
  media: {
    videoId: string;
    title: string | null;
    publishedAt: Date | null;
    channel: { id: string; name: string };
    url: string;
  };
}

/**
 * The body of an `alert.mention` or `alert.appearance` event, the same bytes on every retry and redelivery (decisions.md, "Webhook event").
 * `appearance` is there for both kinds: where the moment begins and ends.
 */
export function alertEventBody(event: AlertEvent): string {
  return JSON.stringify({
    id: event.eventId,
    type: event.kind === "mention" ? "alert.mention" : "alert.appearance",
    createdAt: event.firedAt.toISOString(),
    apiVersion: webhookApiVersion,
    monitorId: event.monitor?.id ?? null,
    monitor_id: event.monitor?.id ?? null,
    monitor_name: event.monitor?.name ?? null,
    trackerId: event.trackerId,
    alert: { id: event.alertId, rowsBilled: event.rowsBilled },
    entity: { id: entityId(event.entity.numericId), name: event.entity.name, type: event.entity.type },
    mention: {
      id: mentionId(event.mention.numericId),
      quote: event.mention.quote,
      sentimentScore: event.mention.sentimentScore,
      confidence: event.mention.confidence,
    },
    appearance: {
      timestampSeconds: Math.floor(event.startSeconds),
      endSeconds: Math.floor(event.endSeconds),
      role: event.role,
    },
    media: {
      video_id: event.media.videoId,
      title: event.media.title,
      published_at: event.media.publishedAt?.toISOString() ?? null,
      channel_id: event.media.channel.id,
      source_channel: event.media.channel,
      url: event.media.url,
    },
  });
}

/** The body of a `webhook.test` event. */
export function testEventBody(test: { eventId: string; at: Date; monitor: { id: string; name: string } }): string {
  return JSON.stringify({
    id: test.eventId,
    type: "webhook.test",
    createdAt: test.at.toISOString(),
    apiVersion: webhookApiVersion,
    monitorId: test.monitor.id,
    monitor_id: test.monitor.id,
    monitor_name: test.monitor.name,
  });
}
