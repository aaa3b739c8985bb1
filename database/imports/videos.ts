import { z } from "zod";
import type { VideoRow } from "../../domain/imports/rows.ts";
import { sql, type Transaction } from "../pool.ts";
import { stagedRows } from "./staged.ts";

export interface ImportedChannel {
  id: string;
  name: string;
}

/** Makes the channels exist under these names, or those that reviewers settled. */
export async function storeChannels(transaction: Transaction, channels: readonly ImportedChannel[]): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    insert into channel (id, name) select id, name from ${stagedRows(channels, sql.fragment`id text, name text`)}
    order by id
    on conflict (id) do update set name = excluded.name where channel.name <> excluded.name and not channel.name_settled`);
}

/** Those of the channels that no entity stands for. */
export async function channelsWithoutEntity(
  transaction: Transaction,
  channelIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = await transaction.anyFirst(sql.type(z.object({ id: z.string() }))`
    select id from unnest(${sql.array([...channelIds], "text")}) as asked (id)
    where not exists (select from entity where entity.platform_id = asked.id and entity.type = 'channel')`);
  return new Set(ids);
}

/** Stores videos whose channels are there; `updated` counts those that were and differed. */
export async function storeVideos(
  transaction: Transaction,
  videos: readonly VideoRow[],
): Promise<{ imported: number; updated: number }> {
  const staged = stagedRows(
    videos.map(({ channel, ...video }) => ({ ...video, channel_id: channel.id })),
    sql.fragment`video_id text collate "C", title text, channel_id text collate "C", published_at timestamptz, duration_seconds float8, language text`,
  );
  const { rowCount: imported } = await transaction.query(sql.typeAlias("void")`
    insert into video (id, title, channel_id, published_at, duration_seconds, language, source)
    select video_id, title, channel_id, published_at, duration_seconds, language, 'import' from ${staged}
    on conflict (id) do nothing`);
  if (imported === videos.length) return { imported, updated: 0 };
  const { rowCount: updated } = await transaction.query(sql.typeAlias("void")`
    update video set title = staged.title, channel_id = staged.channel_id, published_at = staged.published_at,
      duration_seconds = staged.duration_seconds, language = coalesce(staged.language, video.language), source = 'import'
    from ${staged}
    where video.id = staged.video_id
      and (video.title, video.channel_id, video.published_at, video.duration_seconds, video.language)
        is distinct from (staged.title, staged.channel_id, staged.published_at, staged.duration_seconds, coalesce(staged.language, video.language))`);
  return { imported, updated };
}
