import { entityId } from "../../../domain/entities.ts";
import { mentionId } from "../../../domain/evidence.ts";
import type { CurrentItem } from "../../../services/feedback/readCurrentItems.ts";
import { shapeSponsor } from "../../internal/reviews/evidenceSchema.ts";

/** What the index says of an item now, by the names that changes have for it. */
export function currentFields(item: CurrentItem): Readonly<Record<string, unknown>> {
  switch (item.kind) {
    case "mention": {
      const { mention } = item;
      return {
        entity_id: entityId(mention.entity.numericId),
        start_seconds: mention.startSeconds,
        end_seconds: mention.endSeconds,
        quote: mention.quote,
        sentiment_score: mention.sentimentScore,
        ...(mention.isAppearance && { role: mention.appearanceRole }),
        in_ad: mention.inAd,
        speaker: mention.speaker?.name ?? mention.speaker?.id ?? null,
        confidence: mention.confidence,
        channel: mention.media.channel.name,
        source: mention.source,
      };
    }
    case "recommendation": {
      const { recommendation: row } = item;
      return {
        entity_id: entityId(row.entity.numericId),
        mention_class: row.mentionClass,
        start_seconds: row.startSeconds,
        end_seconds: row.endSeconds,
        verbatim_quote: row.verbatimQuote,
        promo_code: row.promoCode,
        offer: row.offer,
        speaker_role: row.speakerRole,
        confidence: row.confidence,
        channel: row.media.channel.name,
      };
    }
    case "entity":
      return {
        entity_id: entityId(item.entity.numericId),
        name: item.entity.name,
        type: item.entity.type,
        url: item.entity.url,
        image_url: item.entity.imageUrl,
        owner_entity_id: item.entity.ownerId === null ? null : entityId(item.entity.ownerId),
        description: item.entity.description,
        mentions: item.entity.mentionCount,
        appearances: item.entity.appearanceCount,
      };
    case "sponsor":
      return {
        entity_id: entityId(item.entity.numericId),
        channel_id: item.channelId,
        is_sponsor: item.sponsor !== null,
        ...(item.sponsor !== null && shapeSponsor(item.sponsor)),
      };
    case "alert": {
      const { alert } = item;
      return {
        entity_id: entityId(alert.entity.numericId),
        start_seconds: alert.startSeconds,
        end_seconds: alert.endSeconds,
        quote: alert.quote,
        kind: alert.kind,
        status: alert.status,
        mention_id: mentionId(alert.mentionId),
        monitor_id: alert.monitorId,
        fired_at: alert.firedAt.toISOString(),
        retracted_at: alert.retractedAt?.toISOString() ?? null,
      };
    }
  }
}
