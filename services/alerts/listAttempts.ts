import { type AttemptPosition, type DeliveryAttempt, listAttempts as selectAttempts } from "../../database/alerts.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { readMonitor } from "../monitors/read.ts";

/** A page of the attempts to deliver for the account's monitor, newest first. Throws `monitor_not_found`. */
export async function listAttempts(
  { pool }: ServiceContext,
  { accountId }: Caller,
  monitorId: string,
  page: { limit: number; after: AttemptPosition | null },
): Promise<{ attempts: readonly DeliveryAttempt[]; hasMore: boolean }> {
  await readMonitor(pool, accountId, monitorId);
  const found = await selectAttempts(pool, monitorId, { ...page, limit: page.limit + 1 });
  return { attempts: found.slice(0, page.limit), hasMore: found.length > page.limit };
}
