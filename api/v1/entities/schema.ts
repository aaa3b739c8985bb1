import { z } from "zod";
import type { Entity } from "../../../database/entities.ts";
import { entityId, entityRoute, entityTypes } from "../../../domain/entities.ts";

/** Numbers of entities; more digits could not be told apart by JSON readers. */
const numberPattern = /^(0|[1-9]\d{0,14})$/;

/** `ent_42` or `42`, as its number. */
export const entityIdParameter = z
  .string()
  .regex(/^(ent_)?(0|[1-9]\d{0,14})$/, "must be ent_ and a whole number of at most 15 digits, or the number alone")
  .transform((id) => Number(id.replace("ent_", "")))
  .meta({ description: "Public id (`ent_42`) or its number.", example: "ent_42" });

const maxNameCharacters = 200;
/** A name, or a part of one, that has to be found. The length counts code points, as JSON Schema does. */
export const nameParameter = z
  .string()
  // oxlint-disable-next-line no-control-regex -- queries with one are refused before
  .regex(/^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$/, "must be a letter, digit or sign at least")
  .refine((text) => Array.from(text).length <= maxNameCharacters, `must have at most ${maxNameCharacters} characters`)
  .meta({ override: { maxLength: maxNameCharacters } });

const maxCards = 50;
const idsFix = `must be 1 to ${maxCards} whole numbers with commas between them, without ent_`;
/** The ids of cards, as numbers in the order asked. */
export const cardIdsParameter = z
  .string()
  .min(1, idsFix)
  .refine((text) => {
    const ids = text.split(",");
    return ids.length <= maxCards && ids.every((id) => numberPattern.test(id));
  }, idsFix)
  .transform((text) => text.split(",").map(Number))
  .meta({
    description: `Numbers of 1 to ${maxCards} entities, comma-separated.`,
    example: "42,7",
    override: { pattern: String.raw`^(0|[1-9]\d{0,14})(,(0|[1-9]\d{0,14})){0,${maxCards - 1}}$` },
  });

const publicId = z.string().regex(/^ent_\d+$/);

/** The specification's "Entity". */
export const entity = z
  .object({
    id: publicId.meta({ description: "Of the canonical entity.", example: "ent_42" }),
    numeric_id: z.int().meta({ description: "Number of the canonical entity.", example: 42 }),
    canonical_id: publicId.meta({ description: "Equals `id`." }),
    name: z.string().meta({ description: "Canonical name.", example: "Ada Lovelace" }),
    type: z.enum(entityTypes).meta({
      description: "`company` and `brand` are legacy organizations; `unknown` was never classified.",
    }),
    platform: z.string().nullable().meta({ description: "Source platform of a channel." }),
    url: z.string().nullable().meta({ description: "Canonical external address; null when none is known." }),
    image_url: z.string().nullable().meta({ description: "Null until an image is resolved." }),
    image_checked_at: z.iso.datetime().nullable().meta({ description: "Last attempt to resolve an image." }),
    appearance_count: z.int().meta({ description: "Indexed mentions and appearances." }),
    owner_entity_id: publicId.nullable().meta({ description: "For example the organization behind a product." }),
    is_canonical: z.boolean().meta({ description: "false when the id asked for was merged into this entity." }),
    merged_from_id: publicId.nullable().meta({ description: "The id asked for, when it was merged into this entity." }),
    route: z.string().meta({ description: "Path on the public website.", example: "/people/ada-lovelace" }),
  })
  .meta({ id: "Entity" });

export function shapeEntity(record: Entity, askedId: number): z.input<typeof entity> {
  const id = entityId(record.numericId);
  const isCanonical = askedId === record.numericId;
  return {
    id,
    numeric_id: record.numericId,
    canonical_id: id,
    name: record.name,
    type: record.type,
    platform: record.platform,
    url: record.url,
    image_url: record.imageUrl,
    image_checked_at: record.imageCheckedAt?.toISOString() ?? null,
    // Appearances are mentions of their own kind, so mentions count both.
    appearance_count: record.mentionCount,
    owner_entity_id: record.ownerId === null ? null : entityId(record.ownerId),
    is_canonical: isCanonical,
    merged_from_id: isCanonical ? null : entityId(askedId),
    route: entityRoute(record),
  };
}

/** The specification's "Entity card". */
export const card = z
  .object({
    id: z.int().meta({ description: "Number of the canonical entity.", example: 42 }),
    name: z.string().meta({ description: "Canonical name." }),
    slug: z.string().meta({ description: "Name in addresses.", example: "ada-lovelace" }),
    type: z.enum(entityTypes).meta({ description: "As in the entity read." }),
    image_url: z.string().nullable().meta({ description: "Null until an image is resolved." }),
    subtitle: z.string().nullable().meta({ description: "A line about it; null when none is known." }),
    index_mentions: z.int().meta({ description: "Indexed mentions, appearances included." }),
    index_appearances: z.int().meta({ description: "Indexed appearances, of persons only." }),
  })
  .meta({ id: "EntityCard" });

export function shapeCard(record: Entity): z.input<typeof card> {
  return {
    id: record.numericId,
    name: record.name,
    slug: record.slug,
    type: record.type,
    image_url: record.imageUrl,
    subtitle: record.description,
    index_mentions: record.mentionCount,
    index_appearances: record.appearanceCount,
  };
}
