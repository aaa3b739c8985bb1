import { listMonitors as selectMonitors, type Monitor } from "../../database/monitors.ts";
import type { Caller, ServiceContext } from "../context.ts";

/** A page of the account's monitors, newest first. */
export async function listMonitors(
  { pool }: ServiceContext,
  { accountId }: Caller,
  page: { limit: number; beforeId: string | null },
): Promise<{ monitors: readonly Monitor[]; hasMore: boolean }> {
  const found = await selectMonitors(pool, accountId, { ...page, limit: page.limit + 1 });
  return { monitors: found.slice(0, page.limit), hasMore: found.length > page.limit };
}
