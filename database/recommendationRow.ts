import { z } from "zod";
import { conflictStatuses, mentionClasses } from "../domain/evidence.ts";
import { sql } from "./pool.ts";

/**
 * Columns of a commercial row itself, for statements that read `recommendation`; read with `recommendationFields`. The id is text, so that
 * the same fields read the row from a column of JSON.
 */
export const recommendationColumns = sql.fragment`recommendation.id::text as recommendation_id, recommendation.mention_class,
  recommendation.start_seconds, recommendation.end_seconds, recommendation.verbatim_quote, recommendation.promo_code, recommendation.offer,
  recommendation.sentiment_score, recommendation.confidence, recommendation.speaker_role, recommendation.conflict_status, recommendation.resolution`;

export const recommendationFields = {
  recommendation_id: z.string().transform(Number),
  mention_class: z.enum(mentionClasses),
  start_seconds: z.number().nullable(),
  end_seconds: z.number().nullable(),
  verbatim_quote: z.string().nullable(),
  promo_code: z.string().nullable(),
  offer: z.string().nullable(),
  sentiment_score: z.number().nullable(),
  confidence: z.number(),
  speaker_role: z.string().nullable(),
  conflict_status: z.enum(conflictStatuses),
  resolution: z.string().nullable(),
};

const recommendationRow = z.object(recommendationFields);

export const shapeRecommendation = (row: z.output<typeof recommendationRow>) => ({
  recommendationId: row.recommendation_id,
  mentionClass: row.mention_class,
  startSeconds: row.start_seconds,
  endSeconds: row.end_seconds,
  verbatimQuote: row.verbatim_quote,
  promoCode: row.promo_code,
  offer: row.offer,
  sentimentScore: row.sentiment_score,
  confidence: row.confidence,
  speakerRole: row.speaker_role,
  conflictStatus: row.conflict_status,
  resolution: row.resolution,
});
/** A commercial passage, without the entity and the video it is about. */
export type Recommendation = ReturnType<typeof shapeRecommendation>;
