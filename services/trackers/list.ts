import { listTrackers as selectTrackers, type Tracker } from "../../database/trackers.ts";
import type { Caller, ServiceContext } from "../context.ts";

/** A page of the account's trackers, newest first. */
export async function listTrackers(
  { pool }: ServiceContext,
  { accountId }: Caller,
  page: { limit: number; beforeId: string | null },
): Promise<{ trackers: readonly Tracker[]; hasMore: boolean }> {
  const found = await selectTrackers(pool, accountId, { ...page, limit: page.limit + 1 });
  return { trackers: found.slice(0, page.limit), hasMore: found.length > page.limit };
}
