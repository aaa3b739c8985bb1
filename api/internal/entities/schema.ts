import { z } from "zod";
import type { CuratedEntity } from "../../../services/entities/readCuratedEntity.ts";
import { entity, shapeEntity } from "../../v1/entities/schema.ts";

const curatedEntity = entity
  .extend({
    slug: z.string().meta({ description: "Name in addresses." }),
    aliases: z.array(z.string()).meta({ description: "What else it is called." }),
    description: z.string().nullable().meta({ description: "A line about it." }),
    platform_id: z.string().nullable().meta({ description: "Its id on its platform." }),
    known_advertiser: z.boolean().meta({ description: "Whether it is known to advertise." }),
  })
  .meta({ id: "CuratedEntity" });
export const wrappedEntity = z.object({ entity: curatedEntity });

export function shapeCuratedEntity(record: CuratedEntity, askedId: number): z.input<typeof curatedEntity> {
  return {
    ...shapeEntity(record, askedId),
    slug: record.slug,
    aliases: [...record.aliases],
    description: record.description,
    platform_id: record.platformId,
    known_advertiser: record.knownAdvertiser,
  };
}
