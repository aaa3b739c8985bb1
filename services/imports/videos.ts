import { lockIdentities } from "../../database/imports/entities.ts";
import {
  channelsWithoutEntity,
  type ImportedChannel,
  storeChannels,
  storeVideos,
} from "../../database/imports/videos.ts";
import type { Transaction } from "../../database/pool.ts";
import type { VideoRow } from "../../domain/imports/rows.ts";
import type { RowWriter } from "./importRows.ts";
import { addEntities } from "./entities.ts";

/** Stores videos with their channels, and an entity for each channel that has none. `platform`: what those entities name as their platform. */
export function videoWriter(platform: string): RowWriter<VideoRow> {
  return {
    batchesAtOnce: 1,
    keysOf: ({ video_id }) => ({ needs: [video_id], claims: [video_id] }),
    write: async (transaction, rows) => {
      const channels = new Map(rows.map(({ channel }) => [channel.id, channel]));
      await storeChannels(transaction, [...channels.values()]);
      await addChannelEntities(transaction, channels, platform);
      return { ...(await storeVideos(transaction, rows)), refused: [] };
    },
  };
}

async function addChannelEntities(
  transaction: Transaction,
  channels: ReadonlyMap<string, ImportedChannel>,
  platform: string,
): Promise<void> {
  const ids = [...channels.keys()];
  if ((await channelsWithoutEntity(transaction, ids)).size === 0) return;
  await lockIdentities(transaction);
  const missing = await channelsWithoutEntity(transaction, ids);
  await addEntities(
    transaction,
    [...channels.values()]
      .filter(({ id }) => missing.has(id))
      .map(({ id, name }) => ({ name, type: "channel", platform, platform_id: id })),
  );
}
