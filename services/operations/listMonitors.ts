import {
  listAllMonitors,
  type ListedMonitor,
  type MonitorFilter,
  type MonitorPage,
} from "../../database/operatorMonitors.ts";
import type { ServiceContext } from "../context.ts";

/** A page of the monitors of all accounts: newest first, or by name where one is looked for. */
export async function listMonitors(
  { pool }: ServiceContext,
  filter: MonitorFilter,
  page: MonitorPage,
): Promise<{ monitors: readonly ListedMonitor[]; hasMore: boolean }> {
  const found = await listAllMonitors(pool, filter, { ...page, limit: page.limit + 1 });
  return { monitors: found.slice(0, page.limit), hasMore: found.length > page.limit };
}
