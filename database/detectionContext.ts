import { z } from "zod";
import type { EntityProfile } from "../domain/detection/types.ts";
import { entityTypes } from "../domain/entities.ts";
import { count, type Queryable, sql } from "./pool.ts";

/** How far back a channel's own topics are looked for, in mentions. */
const recentMentions = 5000;

const channelRow = z
  .object({ title: z.string().nullable(), channel_name: z.string().nullable(), entity_ids: z.array(z.string()) })
  .transform((row) => ({
    title: row.title,
    channel: row.channel_name === null ? null : { name: row.channel_name, entityIds: row.entity_ids.map(Number) },
  }));
const frequencyRow = z.object({ entity_id: count, videos: count });

/** What is known of a video's surroundings: its title, its channel and that channel's entities, and in how many of its videos each entity was. */
export async function readDetectionContext(db: Queryable, videoId: string) {
  const video = await db.one(sql.type(channelRow)`
    select video.title, channel.name as channel_name, array(
      select coalesce(entity.canonical_id, entity.id)::text from entity
      where entity.platform_id = video.channel_id and entity.type = 'channel'
    ) as entity_ids
    from video left join channel on channel.id = video.channel_id where video.id = ${videoId}`);
  const frequencies = await db.any(sql.type(frequencyRow)`
    select coalesce(entity.canonical_id, entity.id) as entity_id, count(distinct recent.video_id) as videos
    from (
      select mention.entity_id, mention.video_id from mention
      where channel_id = (select channel_id from video where id = ${videoId}) and video_id <> ${videoId}
      order by sorted_at desc, id desc limit ${recentMentions}
    ) as recent join entity on entity.id = recent.entity_id
    group by 1`);
  return {
    title: video.title,
    channel: video.channel && {
      ...video.channel,
      mentionedIn: new Map(frequencies.map(({ entity_id, videos }) => [entity_id, videos])),
    },
  };
}

const profileRow = z
  .object({
    supplied_id: count,
    id: count,
    name: z.string(),
    type: z.enum(entityTypes),
    owner_id: count.nullable(),
    mention_count: count,
    description: z.string().nullable(),
  })
  .transform((row): [number, EntityProfile] => [
    row.supplied_id,
    {
      entityId: row.id,
      name: row.name,
      type: row.type,
      ownerId: row.owner_id,
      mentionCount: row.mention_count,
      description: row.description,
    },
  ]);

/** The entities of these ids by the ids, each with the profile of what it was merged into. */
export async function readEntityProfiles(
  db: Queryable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, EntityProfile>> {
  const rows = await db.any(sql.type(profileRow)`
    select supplied.id as supplied_id, entity.id, entity.name, entity.type, coalesce(owner.canonical_id, owner.id) as owner_id,
      entity.mention_count, entity.description
    from entity as supplied join entity on entity.id = coalesce(supplied.canonical_id, supplied.id)
      left join entity as owner on owner.id = entity.owner_id
    where supplied.id = any(${sql.array([...ids], "int8")})`);
  return new Map(rows);
}
