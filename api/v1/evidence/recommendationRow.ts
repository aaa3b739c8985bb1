import { z } from "zod";
import type { EntityReference } from "../../../database/entityReference.ts";
import type { Media } from "../../../database/media.ts";
import type { Recommendation } from "../../../database/recommendationRow.ts";
import { conflictStatuses, mentionClasses, minutesAndSeconds, recommendationId } from "../../../domain/evidence.ts";
import { entityReference, media, shapeEntityReference, shapeMedia } from "./schema.ts";

const timestamp = (description: string) =>
  z.string().nullable().meta({ description, deprecated: true, example: "61:05" });
const seconds = (description: string) => z.int().nullable().meta({ description, example: 3665 });
const score = z.number().min(-1).max(1).nullable();

/** The specification's "Recommendation row". */
export const recommendationRow = z
  .object({
    id: z
      .string()
      .regex(/^com_\d+$/)
      .meta({ description: "Public id.", example: "com_7" }),
    recommendation_id: z.int().meta({ description: "The number in `id`.", example: 7 }),
    mention_class: z.enum(mentionClasses).meta({
      description:
        "`ad_read`: a paid placement; `endorsement`: a personal recommendation that nobody paid for; `mention`: commercial talk that is neither.",
    }),
    entity: entityReference.meta({ description: "What is advertised or recommended." }),
    media: media.meta({ description: "Where it was said." }),
    start_timestamp: timestamp("`start_seconds` as MM:SS; minutes run on past 59."),
    end_timestamp: timestamp("`end_seconds` as MM:SS; minutes run on past 59."),
    start_seconds: seconds("Seconds from the start; 0 together with `end_seconds` 0 means the full episode."),
    end_seconds: seconds("Seconds from the start."),
    verbatim_quote: z.string().nullable().meta({ description: "What was said, word for word." }),
    promo_code: z.string().nullable().meta({ description: "The code that listeners are told to use." }),
    offer: z.string().nullable().meta({ description: "What listeners are offered." }),
    sentiment: score.meta({ description: "Equals `sentiment_score`.", deprecated: true }),
    sentiment_score: score.meta({ description: "From −1 to 1; null for an ad read, which carries no opinion." }),
    confidence: z.number().min(0).max(1).meta({ description: "That the row is right, from 0 to 1.", example: 0.93 }),
    speaker_role: z.string().nullable().meta({ description: "The part that the speaker plays, where known." }),
    conflict_status: z.enum(conflictStatuses).meta({ description: "Whether reviewers disagree, or did, about it." }),
    resolution: z.string().nullable().meta({ description: "How a dispute ended." }),
  })
  .meta({ id: "Recommendation" });

export function shapeRecommendation(
  row: Recommendation & { entity: EntityReference; media: Media },
  videoUrl: string,
): z.input<typeof recommendationRow> {
  const sentimentScore = row.mentionClass === "ad_read" ? null : row.sentimentScore;
  return {
    id: recommendationId(row.recommendationId),
    recommendation_id: row.recommendationId,
    mention_class: row.mentionClass,
    entity: shapeEntityReference(row.entity),
    media: shapeMedia(row.media, videoUrl),
    start_timestamp: row.startSeconds === null ? null : minutesAndSeconds(row.startSeconds),
    end_timestamp: row.endSeconds === null ? null : minutesAndSeconds(row.endSeconds),
    start_seconds: row.startSeconds,
    end_seconds: row.endSeconds,
    verbatim_quote: row.verbatimQuote,
    promo_code: row.promoCode,
    offer: row.offer,
    sentiment: sentimentScore,
    sentiment_score: sentimentScore,
    confidence: row.confidence,
    speaker_role: row.speakerRole,
    conflict_status: row.conflictStatus,
    resolution: row.resolution,
  };
}
