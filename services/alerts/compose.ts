import type { FiredAlert } from "../../database/alertDeliveries.ts";
import type { Settings } from "../../domain/configuration.ts";
import type { AlertText } from "../../domain/delivery/alertMail.ts";
import { alertEventBody } from "../../domain/delivery/webhookEvent.ts";

/** What an alert tells people. */
export function alertText(alert: FiredAlert, { videoMomentUrl }: Settings): AlertText {
  return {
    eventId: alert.eventId,
    kind: alert.kind,
    entityName: alert.entity.name,
    label: alert.trackerName,
    monitorName: alert.monitorName,
    videoTitle: alert.media.title,
    channelName: alert.media.channel.name,
    momentUrl: videoMomentUrl
      .replaceAll("{video_id}", alert.media.videoId)
      .replaceAll("{seconds}", String(Math.floor(alert.startSeconds))),
    startSeconds: alert.startSeconds,
    quote: alert.mention.quote,
    mentionCount: alert.mentionCount,
  };
}

/** What an alert tells programs. Of an alert that was paid for, so that every retry and redelivery says the same. */
export function webhookBody(alert: FiredAlert, { videoUrl }: Settings): string {
  const { monitorId, monitorName, media } = alert;
  return alertEventBody({
    eventId: alert.eventId,
    alertId: alert.alertId,
    kind: alert.kind,
    firedAt: alert.firedAt,
    rowsBilled: alert.rowsBilled,
    monitor: monitorId === null ? null : { id: monitorId, name: monitorName ?? "" },
    trackerId: alert.trackerId,
    entity: alert.entity,
    mention: alert.mention,
    startSeconds: alert.startSeconds,
    endSeconds: alert.endSeconds,
    role: alert.role,
    media: { ...media, url: videoUrl.replaceAll("{video_id}", media.videoId) },
  });
}
