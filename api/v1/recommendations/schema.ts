import { z } from "zod";
import type { RecommendationPosition } from "../../../database/recommendations.ts";
import { mentionClasses } from "../../../domain/evidence.ts";
import type { AskedEntity } from "../../../services/entities/findAsked.ts";
import type { RecommendationPage, RecommendationQuery } from "../../../services/recommendations/list.ts";
import { booleanParameter } from "../../http/parameters.ts";
import { listOf, pageParameters } from "../../http/paging.ts";
import { entity, shapeEntity } from "../entities/schema.ts";
import { dateParameters } from "../evidence/dateParameters.ts";
import { recommendationRow, shapeRecommendation } from "../evidence/recommendationRow.ts";
import { dryRun } from "../meteredRead.ts";

const confidenceFix = "must be a number from 0 to 1, or null for no minimum";

/** What both lists of commercial rows are narrowed by. */
export const narrowingParameters = {
  channel_id: z.string().min(1).max(200).optional().meta({ description: "The platform's id of a channel." }),
  channel_name: z.string().min(1).max(200).optional().meta({
    description: "Name of a channel, as the entity lookup compares names; of several, the most-mentioned.",
  }),
  mention_class: z
    .enum([...mentionClasses, "all"])
    .default("all")
    .meta({ description: "Only rows of this class." }),
  min_confidence: z
    .string()
    .regex(/^(null|\d(\.\d{1,15})?)$/, confidenceFix)
    .prefault("0.7")
    .transform((text) => (text === "null" ? 0 : Number(text)))
    .refine((value) => value <= 1, confidenceFix)
    .meta({
      description: "Only rows of at least this confidence; `null` for no minimum.",
      override: ({ jsonSchema }) => {
        for (const key of ["type", "pattern", "default", "allOf"]) delete jsonSchema[key];
        Object.assign(jsonSchema, {
          anyOf: [{ type: "number", minimum: 0, maximum: 1 }, { enum: ["null"] }],
          default: 0.7,
        });
      },
    }),
  ...dateParameters,
  include_disputed: booleanParameter({ default: false, description: "true: also rows that reviewers disagree about." }),
  ...pageParameters,
  dry_run: dryRun,
};

/** The specification's list envelope, with the entity that the rows belong to. */
export const recommendationList = listOf(recommendationRow)
  .extend({
    entity: entity.nullable().meta({ description: "What the rows belong to; null when only a channel was named." }),
  })
  .meta({ id: "RecommendationList" });

/** Where a page of commercial rows ends, in a cursor. */
export const recommendationPosition = z
  .tuple([z.number(), z.number()])
  .transform(([sortedAt, id]): RecommendationPosition => ({ sortedAt, id }));

export type Narrowing = z.output<z.ZodObject<typeof narrowingParameters>>;

/** The use case's form of a query. */
export function recommendationQuery(
  query: Narrowing,
  asked: AskedEntity,
  after: RecommendationPosition | null,
): RecommendationQuery {
  return {
    entity: asked,
    channel: { id: query.channel_id ?? null, name: query.channel_name ?? null },
    mentionClass: query.mention_class,
    minConfidence: query.min_confidence,
    includeDisputed: query.include_disputed,
    dates: { from: query.date_from ?? null, to: query.date_to ?? null },
    limit: query.limit,
    after,
  };
}

export function shapeRecommendationList(
  page: RecommendationPage,
  shown: { videoUrl: string; nextCursor: string | null },
): z.input<typeof recommendationList> {
  return {
    data: page.rows.map((row) => shapeRecommendation(row, shown.videoUrl)),
    has_more: page.hasMore,
    next_cursor: shown.nextCursor,
    entity: page.entity === null ? null : shapeEntity(page.entity.entity, page.entity.suppliedId),
  };
}
