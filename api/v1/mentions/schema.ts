import { z } from "zod";
import type { BoughtMention } from "../../../database/mentions.ts";
import { entityId } from "../../../domain/entities.ts";
import { appearanceRoles, mentionId, minutesAndSeconds, sentiments } from "../../../domain/evidence.ts";
import { parseFreeText } from "../../../domain/freeText.ts";
import type { MentionQuery } from "../../../services/mentions/list.ts";
import { booleanParameter } from "../../http/parameters.ts";
import { listOf, pageParameters } from "../../http/paging.ts";
import { dateParameters } from "../evidence/dateParameters.ts";
import { recommendationRow, shapeRecommendation } from "../evidence/recommendationRow.ts";
import { entityReference, media, shapeEntityReference, shapeMedia } from "../evidence/schema.ts";
import { dryRun } from "../meteredRead.ts";

const searchFix = "must hold a word";

/** What both lists of mentions are narrowed by. */
export const mentionFilters = {
  entity_type: z.enum(["person", "organization", "product", "topic", "channel"]).optional().meta({
    description: "Only mentions of entities of this type; of an entity that is named, it must be the type.",
  }),
  channel_id: z.string().min(1).max(200).optional().meta({ description: "The platform's id of a channel." }),
  sentiment: z.enum(sentiments).optional().meta({
    description: "positive: `sentiment_score` from 0.2; negative: to −0.2. Mentions without one are none of the three.",
  }),
  is_appearance: booleanParameter({
    description: "Only appearances, or only what is none. Only persons appear.",
  }).optional(),
  in_ad: booleanParameter({ description: "Only mentions inside ads, or only those outside." }).optional(),
  ...dateParameters,
  q: z
    .string()
    .max(200)
    .transform(parseFreeText)
    .refine((pieces) => pieces !== null, searchFix)
    .optional()
    .meta({
      description:
        'Words that the quote holds, all of them, whatever their case and accents; `"words in a row"`, and `begin*` for beginnings. The first 2,000 characters of a quote are searched.',
      example: '"machine learning" open*',
      override: ({ jsonSchema }) => {
        for (const key of Object.keys(jsonSchema))
          if (key !== "description" && key !== "example") delete jsonSchema[key];
        Object.assign(jsonSchema, { type: "string", maxLength: 200 });
      },
    }),
  details: z.enum(["none", "full"]).default("none").meta({
    description:
      "full: with the commercial rows of the same video and entity at the mention's time, 10 rows each. Needs Pro+ and `recommendations:read`.",
  }),
  ...pageParameters,
  dry_run: dryRun,
};

export type MentionFilters = z.output<z.ZodObject<typeof mentionFilters>>;

/** The use case's form of the filters. */
export function mentionQuery(
  filters: MentionFilters,
  entity: { id: number | null; name: string | null },
  after: MentionQuery["after"],
): MentionQuery {
  return {
    entity: { ...entity, type: filters.entity_type ?? null },
    channelId: filters.channel_id ?? null,
    sentiment: filters.sentiment ?? null,
    isAppearance: filters.is_appearance ?? null,
    inAd: filters.in_ad ?? null,
    dates: { from: filters.date_from ?? null, to: filters.date_to ?? null },
    search: filters.q ?? null,
    details: filters.details,
    limit: filters.limit,
    after,
  };
}

/** Where a page of mentions ends, in a cursor. */
export const mentionPosition = z.tuple([z.number(), z.number()]).transform(([sortedAt, id]) => ({ sortedAt, id }));

const publicEntityId = z.string().regex(/^ent_\d+$/);

export const mentionIdField = z
  .string()
  .regex(/^men_\d+$/)
  .meta({ description: "Public id.", example: "men_7" });
export const startSeconds = z.number().min(0).meta({ description: "Seconds from the start.", example: 125.4 });
export const endSeconds = z.number().min(0).meta({ description: "Seconds from the start.", example: 128 });
export const confidence = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: "That the row is right, from 0 to 1.", example: 0.93 });
const timestamp = (description: string) => z.string().meta({ description, deprecated: true, example: "02:05" });

/** A mention as lists show it (decisions.md, "mention"). */
export const mention = z
  .object({
    id: mentionIdField,
    entity: entityReference.meta({ description: "What is spoken of, or who appears." }),
    media: media.meta({ description: "Where." }),
    start_seconds: startSeconds,
    end_seconds: endSeconds,
    start_timestamp: timestamp("`start_seconds` as MM:SS; minutes run on past 59."),
    end_timestamp: timestamp("`end_seconds` as MM:SS; minutes run on past 59."),
    quote: z.string().meta({ description: "What was said." }),
    context_before: z.string().nullable().meta({ description: "What was said before; null where it is not kept." }),
    context_after: z.string().nullable().meta({ description: "What was said after; null where it is not kept." }),
    surface_form: z.string().nullable().meta({ description: "How the entity was called; null where unknown." }),
    speaker: z
      .object({
        id: z.string().nullable().meta({ description: "Of the speaker in the transcript." }),
        name: z.string().nullable().meta({ description: "Null until somebody names the speaker." }),
        entity_id: publicEntityId.nullable().meta({ description: "The person, where known." }),
      })
      .nullable()
      .meta({ description: "Who speaks; null where unknown." }),
    is_appearance: z.boolean().meta({ description: "true: a person appears; false: the entity is spoken of." }),
    appearance_role: z
      .enum(appearanceRoles)
      .nullable()
      .meta({ description: "Of an appearance: the part that the person plays, where known." }),
    in_ad: z.boolean().meta({ description: "Whether it is inside an ad." }),
    sentiment_score: z.number().min(-1).max(1).nullable().meta({ description: "From −1 to 1; null where unknown." }),
    confidence,
    transcript_revision: z
      .int()
      .nullable()
      .meta({ description: "Of the transcript that it was found in; null for others." }),
    deep_link: z.string().meta({ description: "The video on its platform, at this moment." }),
    created_at: z.iso.datetime().meta({ description: "When it was indexed." }),
    recommendations: z
      .array(recommendationRow)
      .optional()
      .meta({ description: "With `details=full`: the commercial rows at its time; full-episode rows are at any." }),
  })
  .meta({ id: "Mention" });

export const mentionList = listOf(mention).meta({ id: "MentionList" });

/** `videoUrl`, `videoMomentUrl`: addresses on the platform (Settings). */
export function shapeMention(
  row: Omit<BoughtMention, "costRows" | "paid" | "position">,
  { videoUrl, videoMomentUrl }: { videoUrl: string; videoMomentUrl: string },
): z.input<typeof mention> {
  return {
    id: mentionId(row.mentionId),
    entity: shapeEntityReference(row.entity),
    media: shapeMedia(row.media, videoUrl),
    start_seconds: row.startSeconds,
    end_seconds: row.endSeconds,
    start_timestamp: minutesAndSeconds(row.startSeconds),
    end_timestamp: minutesAndSeconds(row.endSeconds),
    quote: row.quote,
    context_before: row.contextBefore,
    context_after: row.contextAfter,
    surface_form: row.surfaceForm,
    speaker:
      row.speaker === null
        ? null
        : {
            id: row.speaker.id,
            name: row.speaker.name,
            entity_id: row.speaker.entityNumericId === null ? null : entityId(row.speaker.entityNumericId),
          },
    is_appearance: row.isAppearance,
    appearance_role: row.appearanceRole,
    in_ad: row.inAd,
    sentiment_score: row.sentimentScore,
    confidence: row.confidence,
    transcript_revision: row.transcriptRevision,
    deep_link: videoMomentUrl
      .replaceAll("{video_id}", row.media.videoId)
      .replaceAll("{seconds}", String(Math.floor(row.startSeconds))),
    created_at: row.createdAt.toISOString(),
    ...(row.recommendations !== null && {
      recommendations: row.recommendations.map((attached) =>
        shapeRecommendation({ ...attached, entity: row.entity, media: row.media }, videoUrl),
      ),
    }),
  };
}
