import { z } from "zod";
import type { Media } from "../../../database/media.ts";
import { entityId, entityTypes, type EntityType } from "../../../domain/entities.ts";

/** `E` of decisions.md: an entity as rows of evidence name it. */
export const entityReference = z
  .object({
    id: z
      .string()
      .regex(/^ent_\d+$/)
      .meta({ description: "Of the canonical entity.", example: "ent_42" }),
    name: z.string().meta({ description: "Canonical name." }),
    type: z.enum(entityTypes).meta({ description: "As in the entity read." }),
  })
  .meta({ id: "EntityReference" });

export function shapeEntityReference(entity: {
  numericId: number;
  name: string;
  type: EntityType;
}): z.input<typeof entityReference> {
  return { id: entityId(entity.numericId), name: entity.name, type: entity.type };
}

/** `media` of decisions.md: the video that a row of evidence is from. */
export const media = z
  .object({
    video_id: z.string().meta({ description: "11-character id on the video platform.", example: "dQw4w9WgXcQ" }),
    title: z.string().nullable().meta({ description: "Null until it is known." }),
    published_at: z.iso.datetime().nullable().meta({ description: "Null until it is known." }),
    channel_id: z.string().meta({ description: "The platform's id of the channel." }),
    source_channel: z
      .object({
        id: z.string().meta({ description: "Equals `channel_id`." }),
        name: z.string().meta({ description: "Name of the channel." }),
      })
      .meta({ description: "The channel that published the video." }),
    url: z.string().meta({ description: "The video on its platform." }),
  })
  .meta({ id: "Media" });

export function shapeMedia(record: Media, videoUrl: string): z.input<typeof media> {
  return {
    video_id: record.videoId,
    title: record.title,
    published_at: record.publishedAt?.toISOString() ?? null,
    channel_id: record.channel.id,
    source_channel: record.channel,
    url: videoUrl.replaceAll("{video_id}", record.videoId),
  };
}
