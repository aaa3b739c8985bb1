import { z } from "zod";
import type { RelatedRow } from "../../../database/relatedPages.ts";
import { entityId, entityTypes } from "../../../domain/entities.ts";
import { relatedFields, relatedSorts } from "../../../domain/relatedLists.ts";
import { pageParameters } from "../../http/paging.ts";
import { dryRun } from "../meteredRead.ts";

/** The slug of the entity whose list is asked for. */
export const slugParameter = (type: string) =>
  z
    .string()
    .min(1)
    .max(200)
    .meta({ description: `Slug of the ${type}; that of one that was merged into it will do.`, example: "a-slug" });

export const relatedQuery = z.strictObject({
  ...pageParameters,
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "Only rows whose text contains this, whatever its case and accents.", example: "news" }),
  field: z.enum(relatedFields).default("any").meta({ description: "The text that `q` is looked for in." }),
  sort: z.enum(relatedSorts).default("date").meta({
    description:
      "`date`: by the newest shared video; `name`: by name, without case and accents, code point by code point; `mentions`: by `relation.mention_count`.",
  }),
  order: z.enum(["asc", "desc"]).default("desc").meta({ description: "Direction of `sort`." }),
  dry_run: dryRun,
});

/** A row of a related list (decisions.md, "related lists"). */
export const relatedEntity = z
  .object({
    id: z
      .string()
      .regex(/^ent_\d+$/)
      .meta({ description: "Of the canonical entity.", example: "ent_42" }),
    numeric_id: z.int().meta({ description: "Number of the canonical entity.", example: 42 }),
    slug: z.string().meta({ description: "Name in addresses.", example: "ada-lovelace" }),
    name: z.string().meta({ description: "Canonical name." }),
    type: z.enum(entityTypes).meta({ description: "As in the entity read." }),
    image_url: z.string().nullable().meta({ description: "Null until an image is resolved." }),
    description: z.string().nullable().meta({ description: "Null when none is known." }),
    platform: z.string().nullable().meta({ description: "Source platform of a channel." }),
    url: z.string().nullable().meta({ description: "Canonical external address; null when none is known." }),
    relation: z
      .object({
        mention_count: z.int().meta({
          description:
            "Mentions of this row's entity in the shared videos. 0 for a channel whose videos are shared and that nobody speaks of there.",
        }),
        media_count: z.int().meta({ description: "Shared videos." }),
        first_seen_at: z.iso
          .datetime()
          .nullable()
          .meta({ description: "Publication of the oldest shared video; null when no publication is known." }),
        last_seen_at: z.iso
          .datetime()
          .nullable()
          .meta({ description: "Publication of the newest shared video; null when no publication is known." }),
      })
      .meta({ description: "What the two have in common." }),
  })
  .meta({ id: "RelatedEntity" });

export function shapeRelated(row: RelatedRow): z.input<typeof relatedEntity> {
  return {
    id: entityId(row.numericId),
    numeric_id: row.numericId,
    slug: row.slug,
    name: row.name,
    type: row.type,
    image_url: row.imageUrl,
    description: row.description,
    platform: row.platform,
    url: row.url,
    relation: {
      mention_count: row.mentionCount,
      media_count: row.mediaCount,
      first_seen_at: row.firstSeenAt?.toISOString() ?? null,
      last_seen_at: row.lastSeenAt?.toISOString() ?? null,
    },
  };
}
