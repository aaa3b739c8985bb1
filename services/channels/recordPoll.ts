import {
  insertChannelVideos,
  lockFollowedChannel,
  markPolled,
  markScanStarted,
} from "../../database/followedChannels.ts";
import { selectUnscanned } from "../../database/scans.ts";
import type { ServiceContext } from "../context.ts";
import { requestScan } from "../scans/requestScan.ts";

export interface RecordedPoll {
  newVideos: number;
  scansStarted: number;
}

/**
 * Records what a channel's feed shows, newest first, and asks for the scan of each new video, once for ever: a video, the mark that its
 * scan was asked for, and the message that starts it commit together. Of a channel that is newly followed only the newest few are scanned;
 * a video that has been scanned or transcribed already is recorded only. Null: the channel is not followed any more.
 */
export async function recordPoll(
  context: ServiceContext,
  channelId: string,
  videoIds: readonly string[],
): Promise<RecordedPoll | null> {
  const { scannedWhenFollowed } = context.settings.channels;
  return context.pool.transaction(async (transaction) => {
    const channel = await lockFollowedChannel(transaction, channelId);
    if (channel === null) return null;
    const found = await insertChannelVideos(transaction, channelId, videoIds);
    const wanted = channel.firstPolledAt === null ? found.slice(0, scannedWhenFollowed) : found;
    const unscanned = await selectUnscanned(transaction, wanted);
    // In one order, so that feeds that share videos never wait for each other in a circle.
    for (const videoId of [...unscanned].toSorted()) {
      await requestScan(transaction, videoId);
      await markScanStarted(transaction, videoId);
    }
    await markPolled(transaction, channelId);
    return { newVideos: found.length, scansStarted: unscanned.size };
  });
}
