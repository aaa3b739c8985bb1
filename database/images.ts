import { z } from "zod";
import { count, momentOf, type Queryable, sql } from "./pool.ts";

const dueRow = z
  .object({ id: count, url: z.string().nullable(), platform_id: z.string().nullable() })
  .transform((row) => ({ entityId: row.id, url: row.url, platformId: row.platform_id }));
/** An entity whose image is to be looked for: on its own page, or on that of its channel on the platform. */
export type ImageDue = z.output<typeof dueRow>;

/**
 * Entities with a page whose image was never looked for, then those looked at before a moment, the longest ago first. An image that came with
 * the entity, or that a reviewer settled, is left alone.
 */
export async function listImagesDue(db: Queryable, lookedBefore: Date, limit: number): Promise<readonly ImageDue[]> {
  return db.any(sql.type(dueRow)`
    select id, url, case when type = 'channel' then platform_id end as platform_id from entity
    where canonical_id is null and (url is not null or (type = 'channel' and platform_id is not null))
      and (image_checked_at is not null or image_url is null) and not image_settled
      and (image_checked_at is null or image_checked_at < ${momentOf(lookedBefore)})
    order by image_checked_at nulls first, id limit ${limit}`);
}

/** Records a look at an entity's page; an image that was found before stays when this look found none, and one that was settled meanwhile. */
export async function recordImageLook(
  db: Queryable,
  look: { entityId: number; imageUrl: string | null; at: Date },
): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update entity set image_url = coalesce(${look.imageUrl}, image_url), image_checked_at = ${momentOf(look.at)}
    where id = ${look.entityId} and not image_settled`);
}
