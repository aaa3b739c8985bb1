import type { Transaction } from "../../database/pool.ts";
import { upsertDescribedVideo } from "../../database/videos.ts";
import type { MediaDescription } from "../../domain/media.ts";
import type { ServiceContext } from "../context.ts";
import { ensureChannelEntities } from "./ensureChannelEntities.ts";

/** Records what a media source says of a video and its channel, which gets an entity where it has none. Safe to run twice. */
export async function recordDescribedVideo(
  { settings }: ServiceContext,
  transaction: Transaction,
  media: MediaDescription,
  source: string,
): Promise<void> {
  await upsertDescribedVideo(transaction, media, source);
  await ensureChannelEntities(transaction, [media.channel], settings.platform);
}
