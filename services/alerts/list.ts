import { type Alert, listAlerts as selectAlerts } from "../../database/alerts.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { readMonitor } from "../monitors/read.ts";

/** The newest alerts that fired under the account's monitor. Throws `monitor_not_found`. */
export async function listAlerts(
  { pool }: ServiceContext,
  { accountId }: Caller,
  monitorId: string,
  limit: number,
): Promise<readonly Alert[]> {
  await readMonitor(pool, accountId, monitorId);
  return selectAlerts(pool, monitorId, { limit, after: null });
}
