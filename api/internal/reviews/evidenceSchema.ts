import { z } from "zod";
import type { ReviewedSponsor } from "../../../database/reviewEvidence.ts";
import { entityTypes } from "../../../domain/entities.ts";
import { mentionId } from "../../../domain/evidence.ts";
import type { CurrentItem } from "../../../services/feedback/readCurrentItems.ts";
import type { Evidence } from "../../../services/feedback/readEvidence.ts";
import { entity, shapeEntity } from "../../v1/entities/schema.ts";
import { recommendationRow, shapeRecommendation } from "../../v1/evidence/recommendationRow.ts";
import { media, shapeEntityReference, shapeMedia } from "../../v1/evidence/schema.ts";
import { mention, shapeMention } from "../../v1/mentions/schema.ts";

/** Addresses on the video platform (Settings). */
export interface ShownAddresses {
  videoUrl: string;
  videoMomentUrl: string;
}

const time = z.iso.datetime();

const sponsor = z.object({
  ad_read_count: z.int(),
  endorsement_count: z.int(),
  first_seen_at: time.nullable(),
  last_seen_at: time.nullable(),
  promo_codes: z.array(z.string()),
  is_known_advertiser: z.boolean(),
});

const alert = z.object({
  id: z.string(),
  monitor_id: z.string().nullable(),
  tracker_id: z.string(),
  kind: z.string(),
  status: z.string(),
  mention_id: z.string(),
  entity: z.object({ id: z.string(), name: z.string(), type: z.enum(entityTypes) }),
  media,
  start_seconds: z.number(),
  end_seconds: z.number(),
  quote: z.string(),
  fired_at: time,
  retracted_at: time.nullable().meta({ description: "When a reviewer took it back." }),
});

export const evidence = z
  .object({
    current: z
      .object({
        mention: mention.optional(),
        recommendation: recommendationRow.optional(),
        entity: entity.optional(),
        sponsor: sponsor.nullable().optional().meta({ description: "Null: it is no sponsor of the channel." }),
        channel_id: z.string().nullable().optional().meta({ description: "Of a sponsor." }),
        alert: alert.optional(),
      })
      .nullable()
      .meta({ description: "The item as it is now, under its kind; null: it is not there any more." }),
    video_id: z.string().nullable().meta({ description: "Where it was said." }),
    video_title: z.string().nullable(),
    video_link: z.string().nullable().meta({ description: "The video on its platform, at this second." }),
    excerpt: z
      .object({
        text: z.string(),
        mark_start: z.int().meta({ description: "Where the words of the claim begin, in UTF-16 code units." }),
        mark_end: z.int().meta({ description: "Where they end." }),
      })
      .nullable()
      .meta({ description: "The talk around it; null where nobody kept it." }),
  })
  .meta({ id: "ReviewEvidence" });

export function shapeEvidence(
  { current, moment, excerpt }: Evidence,
  addresses: ShownAddresses,
): z.input<typeof evidence> {
  return {
    current: current === null ? null : shapeCurrent(current, addresses),
    video_id: moment?.media.videoId ?? null,
    video_title: moment?.media.title ?? null,
    video_link:
      moment === null
        ? null
        : addresses.videoMomentUrl
            .replaceAll("{video_id}", moment.media.videoId)
            .replaceAll("{seconds}", String(Math.floor(moment.startSeconds))),
    excerpt: excerpt === null ? null : { text: excerpt.text, mark_start: excerpt.markStart, mark_end: excerpt.markEnd },
  };
}

function shapeCurrent(item: CurrentItem, addresses: ShownAddresses) {
  switch (item.kind) {
    case "mention":
      return { mention: shapeMention({ ...item.mention, recommendations: null }, addresses) };
    case "recommendation":
      return { recommendation: shapeRecommendation(item.recommendation, addresses.videoUrl) };
    case "entity":
      return { entity: shapeEntity(item.entity, item.entity.numericId) };
    case "sponsor":
      return {
        entity: shapeEntity(item.entity, item.entity.numericId),
        channel_id: item.channelId,
        sponsor: item.sponsor === null ? null : shapeSponsor(item.sponsor),
      };
    case "alert": {
      const { alert: fired } = item;
      return {
        alert: {
          id: fired.alertId,
          monitor_id: fired.monitorId,
          tracker_id: fired.trackerId,
          kind: fired.kind,
          status: fired.status,
          mention_id: mentionId(fired.mentionId),
          entity: shapeEntityReference(fired.entity),
          media: shapeMedia(fired.media, addresses.videoUrl),
          start_seconds: fired.startSeconds,
          end_seconds: fired.endSeconds,
          quote: fired.quote,
          fired_at: fired.firedAt.toISOString(),
          retracted_at: fired.retractedAt?.toISOString() ?? null,
        },
      };
    }
  }
}

/** What is counted of a sponsor. */
export function shapeSponsor(counted: ReviewedSponsor): z.input<typeof sponsor> {
  return {
    ad_read_count: counted.adReadCount,
    endorsement_count: counted.endorsementCount,
    first_seen_at: counted.firstSeenAt?.toISOString() ?? null,
    last_seen_at: counted.lastSeenAt?.toISOString() ?? null,
    promo_codes: counted.promoCodes,
    is_known_advertiser: counted.isKnownAdvertiser,
  };
}
