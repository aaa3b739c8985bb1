import { hasChannelEntity, lockChannel } from "../../database/channels.ts";
import { insertEntityWithFreeSlug } from "../../database/entities.ts";
import { saveNames } from "../../database/entityNames.ts";
import type { Transaction } from "../../database/pool.ts";
import { slugOf } from "../../domain/names.ts";

/** Makes the entity of a platform's channel where it has none; nothing where there is no such channel. */
export async function ensureChannelEntity(transaction: Transaction, channelId: string): Promise<void> {
  const name = await lockChannel(transaction, channelId);
  if (name === null || (await hasChannelEntity(transaction, channelId))) return;
  const entityId = await insertEntityWithFreeSlug(transaction, {
    name,
    type: "channel",
    slug: slugOf(name),
    platformId: channelId,
  });
  await saveNames(transaction, [{ entityId, name, aliases: [] }]);
}
