import { z } from "zod";
import type { BoughtChannel } from "../../../database/channels.ts";
import { recommendationId } from "../../../domain/evidence.ts";
import { sponsorStatuses } from "../../../domain/sponsors.ts";
import type { SponsorPage } from "../../../services/channels/listSponsors.ts";
import { listOf } from "../../http/paging.ts";
import { entity, shapeEntity } from "../entities/schema.ts";
import { entityReference, shapeEntityReference } from "../evidence/schema.ts";

export const channelIdParameter = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: "The platform's id of the channel, not a slug.", example: "UC2D2CMWXMOVWx7giW1n3LIg" });

const sponsorCount = z.int().meta({ description: "Sponsors on the default list of its sponsors." });

/** The entity of a channel, and the channel. */
export const channel = entity
  .extend({ channel_id: z.string().meta({ description: "The platform's id." }), sponsor_count: sponsorCount })
  .meta({ id: "Channel" });

export function shapeChannel(record: BoughtChannel, channelId: string): z.input<typeof channel> {
  return {
    ...shapeEntity(record.entity, record.suppliedId),
    channel_id: channelId,
    sponsor_count: record.sponsorCount,
  };
}

const seen = (description: string) => z.iso.datetime().nullable().meta({ description });

/** A row of decisions.md, "Entities and search". */
const sponsor = z
  .object({
    entity: entityReference.meta({ description: "Who sponsors." }),
    status: z.enum(sponsorStatuses).meta({
      description:
        "`active`: seen in the last 90 days; of the others, `known` are curated advertisers of the channel and `lapsed` the rest.",
    }),
    ad_read_count: z.int().min(0).meta({ description: "Its ad reads on the channel." }),
    endorsement_count: z.int().min(0).meta({ description: "Its endorsements on the channel." }),
    first_seen_at: seen("Publication of the first video with a commercial row about it; null where there is none."),
    last_seen_at: seen("Publication of the latest video with a commercial row about it; null where there is none."),
    promo_codes: z.array(z.string()).meta({ description: "Codes that listeners were told, in order." }),
    avg_confidence: z.number().min(0).max(1).nullable().meta({
      description: "Mean confidence of its commercial rows on the channel, to four places; null without any.",
    }),
    is_known_advertiser: z.boolean().meta({ description: "Whether it is a curated advertiser of the channel." }),
    latest_recommendation_id: z
      .string()
      .regex(/^com_\d+$/)
      .nullable()
      .meta({ description: "Its newest commercial row on the channel.", example: "com_7" }),
  })
  .meta({ id: "Sponsor" });

export const sponsorList = listOf(sponsor)
  .extend({
    channel: z
      .object({
        id: z.string().meta({ description: "The platform's id." }),
        name: z.string().meta({ description: "Name of the channel." }),
        sponsor_count: sponsorCount,
      })
      .meta({ description: "Whose sponsors they are." }),
  })
  .meta({ id: "SponsorList" });

export function shapeSponsorList(page: SponsorPage, nextCursor: string | null): z.input<typeof sponsorList> {
  return {
    data: page.rows.map((row) => ({
      entity: shapeEntityReference(row.entity),
      status: row.status,
      ad_read_count: row.adReadCount,
      endorsement_count: row.endorsementCount,
      first_seen_at: row.firstSeenAt?.toISOString() ?? null,
      last_seen_at: row.lastSeenAt?.toISOString() ?? null,
      promo_codes: row.promoCodes,
      avg_confidence: row.averageConfidence,
      is_known_advertiser: row.isKnownAdvertiser,
      latest_recommendation_id:
        row.latestRecommendationId === null ? null : recommendationId(row.latestRecommendationId),
    })),
    has_more: page.hasMore,
    next_cursor: nextCursor,
    channel: { id: page.channel.id, name: page.channel.name, sponsor_count: page.channel.sponsorCount },
  };
}
