import { deleteFollowedChannel, upsertFollowedChannel } from "../../database/followedChannels.ts";
import { insertOutbox } from "../../database/outbox.ts";
import type { ServiceContext } from "../context.ts";

/** Follows a channel, or changes how often it is looked at; Temporal's schedule is made from the outbox after the commit. */
export async function followChannel(context: ServiceContext, channelId: string, everySeconds: number): Promise<void> {
  await context.pool.transaction(async (transaction) => {
    await upsertFollowedChannel(transaction, channelId, everySeconds);
    await insertOutbox(transaction, "channel.schedule", channelId);
  });
}

/** Stops following a channel; returns whether it was followed. What was found stays. */
export async function unfollowChannel(context: ServiceContext, channelId: string): Promise<boolean> {
  return context.pool.transaction(async (transaction) => {
    const wasFollowed = await deleteFollowedChannel(transaction, channelId);
    await insertOutbox(transaction, "channel.schedule", channelId);
    return wasFollowed;
  });
}
