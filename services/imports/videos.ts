import { storeChannels, storeVideos } from "../../database/imports/videos.ts";
import type { VideoRow } from "../../domain/imports/rows.ts";
import { ensureChannelEntities } from "../channels/ensureChannelEntities.ts";
import type { RowWriter } from "./importRows.ts";

/** Stores videos with their channels, and an entity for each channel that has none. `platform`: what those entities name as their platform. */
export function videoWriter(platform: string): RowWriter<VideoRow> {
  return {
    batchesAtOnce: 1,
    keysOf: ({ video_id }) => ({ needs: [video_id], claims: [video_id] }),
    write: async (transaction, rows) => {
      const channels = new Map(rows.map(({ channel }) => [channel.id, channel]));
      await storeChannels(transaction, [...channels.values()]);
      await ensureChannelEntities(transaction, [...channels.values()], platform);
      return { ...(await storeVideos(transaction, rows)), settled: 0, refused: [] };
    },
  };
}
