import { channelsWithMedia, findChannelIdsByName } from "../../database/channels.ts";
import type { Queryable } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import { foldName } from "../../domain/names.ts";

/** How a caller names a channel: by the platform's id or by name, or by both, which must then agree. */
export interface ChannelSelector {
  id: string | null;
  name: string | null;
}

/**
 * The platform's ids of the channels that a caller means; a name means several where channels were merged. Null where none is asked for.
 * Throws `channel_not_found` where there is no such channel with media in the index.
 */
export async function resolveChannels(db: Queryable, { id, name }: ChannelSelector): Promise<string[] | null> {
  if (id === null && name === null) return null;
  const named = name === null ? null : await findChannelIdsByName(db, foldName(name));
  const wanted = id === null ? (named ?? []) : named === null || named.includes(id) ? [id] : [];
  const found = await channelsWithMedia(db, wanted);
  if (found.length === 0) throw new ApiError("channel_not_found");
  return found;
}
