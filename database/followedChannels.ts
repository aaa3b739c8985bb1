import { z } from "zod";
import { type Queryable, sql, timestamp, type Transaction } from "./pool.ts";

const followedChannelRow = z
  .object({ channel_id: z.string(), every_seconds: z.number(), first_polled_at: timestamp.nullable() })
  .transform((row) => ({
    channelId: row.channel_id,
    everySeconds: row.every_seconds,
    firstPolledAt: row.first_polled_at,
  }));
export type FollowedChannel = z.infer<typeof followedChannelRow>;

const columns = sql.fragment`channel_id, every_seconds, first_polled_at`;

/** Follows a channel, or changes how often it is looked at. */
export async function upsertFollowedChannel(db: Queryable, channelId: string, everySeconds: number): Promise<void> {
  await db.query(sql.typeAlias("void")`
    insert into followed_channel (channel_id, every_seconds) values (${channelId}, ${everySeconds})
    on conflict (channel_id) do update set every_seconds = excluded.every_seconds`);
}

/** What was found stays, so that following it again finds only what is new. Returns whether it was followed. */
export async function deleteFollowedChannel(db: Queryable, channelId: string): Promise<boolean> {
  const id = await db.maybeOneFirst(sql.type(z.object({ channel_id: z.string() }))`
    delete from followed_channel where channel_id = ${channelId} returning channel_id`);
  return id !== null;
}

export async function listFollowedChannels(db: Queryable): Promise<readonly FollowedChannel[]> {
  return db.any(sql.type(followedChannelRow)`select ${columns} from followed_channel order by channel_id`);
}

export async function readFollowedChannel(db: Queryable, channelId: string): Promise<FollowedChannel | null> {
  return db.maybeOne(
    sql.type(followedChannelRow)`select ${columns} from followed_channel where channel_id = ${channelId}`,
  );
}

/** Takes turns, until the transaction ends, in telling Temporal of a channel, also of one that is not followed any more. */
export async function lockChannelSchedule(transaction: Transaction, channelId: string): Promise<void> {
  await transaction.query(
    sql.typeAlias("void")`select from pg_advisory_xact_lock(hashtextextended('channel schedule ' || ${channelId}, 0))`,
  );
}

/** Reads the channel and holds its row lock until the transaction ends, so that polls record one after the other. */
export async function lockFollowedChannel(
  transaction: Transaction,
  channelId: string,
): Promise<FollowedChannel | null> {
  return transaction.maybeOne(
    sql.type(followedChannelRow)`select ${columns} from followed_channel where channel_id = ${channelId} for update`,
  );
}

/** Records the videos of a channel's feed; returns those that no feed had shown before, in the order given. */
export async function insertChannelVideos(
  transaction: Transaction,
  channelId: string,
  videoIds: readonly string[],
): Promise<string[]> {
  await transaction.query(sql.typeAlias("void")`
    insert into video (id) select id from unnest(${sql.array([...videoIds], "text")}) as id order by id on conflict do nothing`);
  const inserted = new Set(
    await transaction.anyFirst(sql.type(z.object({ video_id: z.string() }))`
      insert into channel_video (video_id, channel_id)
      select id, ${channelId} from unnest(${sql.array([...videoIds], "text")}) as id order by id on conflict do nothing returning video_id`),
  );
  return videoIds.filter((videoId) => inserted.has(videoId));
}

export async function markScanStarted(transaction: Transaction, videoId: string): Promise<void> {
  await transaction.query(
    sql.typeAlias("void")`update channel_video set scan_started_at = now() where video_id = ${videoId}`,
  );
}

export async function markPolled(transaction: Transaction, channelId: string): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    update followed_channel set first_polled_at = coalesce(first_polled_at, now()), last_polled_at = now() where channel_id = ${channelId}`);
}
