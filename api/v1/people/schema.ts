import { z } from "zod";
import type { EntityWithMembers } from "../../../database/entityMembers.ts";
import type { BoughtMention } from "../../../database/mentions.ts";
import { appearanceRoles, mentionId } from "../../../domain/evidence.ts";
import { listOf, pageParameters } from "../../http/paging.ts";
import { entity, shapeEntity } from "../entities/schema.ts";
import { dateParameters } from "../evidence/dateParameters.ts";
import { entityReference, media, shapeEntityReference, shapeMedia } from "../evidence/schema.ts";
import { confidence, endSeconds, mentionIdField, startSeconds } from "../mentions/schema.ts";
import { dryRun } from "../meteredRead.ts";

export const personPath = z.strictObject({
  slug: z.string().min(1).max(200).meta({
    description: "Slug of the person; that of one that was merged into it will do.",
    example: "ada-lovelace",
  }),
});

export const appearanceFilters = {
  channel_id: z.string().min(1).max(200).optional().meta({ description: "The platform's id of a channel." }),
  role: z.enum(appearanceRoles).optional().meta({ description: "Only appearances in this part." }),
  ...dateParameters,
  ...pageParameters,
  dry_run: dryRun,
};

/** An appearance as lists show it (decisions.md, appearances). */
const appearance = z
  .object({
    id: mentionIdField,
    person: entityReference.meta({ description: "Who appears." }),
    media: media.meta({ description: "Where." }),
    role: z.enum(appearanceRoles).nullable().meta({ description: "The part that the person plays; null if unknown." }),
    start_seconds: startSeconds,
    end_seconds: endSeconds,
    speaking_seconds: z.number().nullable().meta({ description: "How long the person speaks; null if unknown." }),
    confidence,
    source: z
      .string()
      .meta({ description: "Where it is from: `speech`, `captions`, `import` or `review`.", example: "speech" }),
    quote: z.string().meta({ description: "What was said." }),
  })
  .meta({ id: "Appearance" });

export const appearanceList = listOf(appearance)
  .extend({ entity: entity.meta({ description: "The person." }) })
  .meta({ id: "AppearanceList" });

export function shapeAppearanceList(
  page: { rows: readonly BoughtMention[]; hasMore: boolean; person: EntityWithMembers },
  shown: { videoUrl: string; nextCursor: string | null },
): z.input<typeof appearanceList> {
  return {
    data: page.rows.map((row) => ({
      id: mentionId(row.mentionId),
      person: shapeEntityReference(row.entity),
      media: shapeMedia(row.media, shown.videoUrl),
      role: row.appearanceRole,
      start_seconds: row.startSeconds,
      end_seconds: row.endSeconds,
      speaking_seconds: row.speakingSeconds,
      confidence: row.confidence,
      source: row.source,
      quote: row.quote,
    })),
    has_more: page.hasMore,
    next_cursor: shown.nextCursor,
    entity: shapeEntity(page.person.entity, page.person.suppliedId),
  };
}
