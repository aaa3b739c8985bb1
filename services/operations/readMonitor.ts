import {
  type Alert,
  type AlertPosition,
  type AttemptPosition,
  type DeliveryAttempt,
  listAlerts,
  listAttempts,
} from "../../database/alerts.ts";
import { type Monitor, readMonitor as selectMonitor } from "../../database/monitors.ts";
import { type MonitorOwner, readMonitorOwner } from "../../database/operatorMonitors.ts";
import type { Queryable } from "../../database/pool.ts";
import { listTrackersOfMonitor, type Tracker } from "../../database/trackers.ts";
import { ApiError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";

/** Whose a monitor is. Throws `monitor_not_found`. */
export async function requireOwner(db: Queryable, monitorId: string): Promise<MonitorOwner> {
  const owner = await readMonitorOwner(db, monitorId);
  if (owner === null) throw new ApiError("monitor_not_found");
  return owner;
}

/** A monitor of any account, with whose it is. Throws `monitor_not_found`. */
export async function readMonitor(
  { pool }: ServiceContext,
  monitorId: string,
): Promise<{ monitor: Monitor; owner: MonitorOwner }> {
  const owner = await requireOwner(pool, monitorId);
  const monitor = await selectMonitor(pool, owner.accountId, monitorId);
  if (monitor === null) throw new ApiError("monitor_not_found");
  return { monitor, owner };
}

/** A page of a monitor's trackers, oldest first. */
export async function listMonitorTrackers(
  { pool }: ServiceContext,
  monitorId: string,
  page: { limit: number; afterId: string | null },
): Promise<{ trackers: readonly Tracker[]; hasMore: boolean }> {
  const found = await listTrackersOfMonitor(pool, monitorId, { ...page, limit: page.limit + 1 });
  return { trackers: found.slice(0, page.limit), hasMore: found.length > page.limit };
}

/** A page of a monitor's alerts, newest first. */
export async function listMonitorAlerts(
  { pool }: ServiceContext,
  monitorId: string,
  page: { limit: number; after: AlertPosition | null },
): Promise<{ alerts: readonly Alert[]; hasMore: boolean }> {
  const found = await listAlerts(pool, monitorId, { ...page, limit: page.limit + 1 });
  return { alerts: found.slice(0, page.limit), hasMore: found.length > page.limit };
}

/** A page of the attempts to deliver a monitor's alerts, newest first. */
export async function listMonitorAttempts(
  { pool }: ServiceContext,
  monitorId: string,
  page: { limit: number; after: AttemptPosition | null },
): Promise<{ attempts: readonly DeliveryAttempt[]; hasMore: boolean }> {
  const found = await listAttempts(pool, monitorId, { ...page, limit: page.limit + 1 });
  return { attempts: found.slice(0, page.limit), hasMore: found.length > page.limit };
}
