import { lockIdentities } from "../../database/imports/entities.ts";
import { channelsWithoutEntity } from "../../database/imports/videos.ts";
import type { Transaction } from "../../database/pool.ts";
import { addEntities } from "../imports/entities.ts";

/** Adds an entity for each of the channels that has none. `platform`: what those entities name as their platform. */
export async function ensureChannelEntities(
  transaction: Transaction,
  channels: readonly { id: string; name: string }[],
  platform: string,
): Promise<void> {
  const ids = channels.map(({ id }) => id);
  if ((await channelsWithoutEntity(transaction, ids)).size === 0) return;
  await lockIdentities(transaction);
  const missing = await channelsWithoutEntity(transaction, ids);
  await addEntities(
    transaction,
    channels
      .filter(({ id }) => missing.has(id))
      .map(({ id, name }) => ({ name, type: "channel", platform, platform_id: id })),
  );
}
