import { z } from "zod";
import type { CommercialTotals } from "../../../database/brandProfiles.ts";

const total = (description: string) => z.int().min(0).meta({ description });
const seen = (description: string) => z.iso.datetime().nullable().meta({ description });

/** The specification's "Recommendations summary". */
export const recommendationsSummary = z
  .object({
    total_ad_reads: total("Ad reads; of a channel, those in its videos."),
    total_endorsements: total("Endorsements; of a channel, those in its videos."),
    unique_shows: total("Channels with commercial rows; of a channel, 1 when it has any."),
    first_seen_at: seen("Publication of the earliest video with a commercial row; null until totals are summed up."),
    last_seen_at: seen("Publication of the latest video with a commercial row; null until totals are summed up."),
    channels_as_sponsor: total("Channels whose curated advertiser the entity is."),
  })
  .meta({
    id: "RecommendationsSummary",
    description:
      "Totals of commercial rows. Disputed rows do not count. Totals of a brand follow new rows within a minute.",
  });

export function shapeRecommendationsSummary(totals: CommercialTotals): z.input<typeof recommendationsSummary> {
  return {
    total_ad_reads: totals.adReads,
    total_endorsements: totals.endorsements,
    unique_shows: totals.shows,
    first_seen_at: totals.firstSeenAt?.toISOString() ?? null,
    last_seen_at: totals.lastSeenAt?.toISOString() ?? null,
    channels_as_sponsor: totals.channelsAsSponsor,
  };
}
