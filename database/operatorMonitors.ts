import { z } from "zod";
import { tiers } from "../domain/plans.ts";
import { count, type Queryable, type SqlFragment, sql, timestamp } from "./pool.ts";
import { startsWith } from "./startsWith.ts";

const listedRow = z
  .object({
    id: z.string(),
    account_id: z.string(),
    email: z.string(),
    name: z.string(),
    folded_name: z.string(),
    paused_at: timestamp.nullable(),
    notify_email: z.boolean(),
    notify_chat: z.boolean(),
    notify_webhook: z.boolean(),
    webhook_failure_count: z.number(),
    webhook_disabled_at: timestamp.nullable(),
    last_notified_at: timestamp.nullable(),
    created_at: timestamp,
    tracker_count: count,
  })
  .transform((row) => ({
    monitorId: row.id,
    accountId: row.account_id,
    accountEmail: row.email,
    name: row.name,
    foldedName: row.folded_name,
    pausedAt: row.paused_at,
    notifyEmail: row.notify_email,
    notifyChat: row.notify_chat,
    notifyWebhook: row.notify_webhook,
    webhookFailureCount: row.webhook_failure_count,
    webhookDisabledAt: row.webhook_disabled_at,
    lastNotifiedAt: row.last_notified_at,
    createdAt: row.created_at,
    trackerCount: row.tracker_count,
  }));
/** A monitor of any account, as lists show it. */
export type ListedMonitor = z.output<typeof listedRow>;

export interface MonitorFilter {
  accountId: string | null;
  /** How its name begins, in any case. */
  namePrefix: string | null;
  webhook: "any" | "disabled";
}

/** Where a page ends. */
export interface MonitorPosition {
  foldedName: string;
  monitorId: string;
}

export interface MonitorPage {
  limit: number;
  after: MonitorPosition | null;
}

/** Monitors of all accounts: newest first, or by name where one is looked for. */
export async function listAllMonitors(
  db: Queryable,
  filter: MonitorFilter,
  page: MonitorPage,
): Promise<readonly ListedMonitor[]> {
  return db.any(sql.type(listedRow)`${allMonitorsStatement(filter, page)}`);
}

const foldedName = sql.fragment`(lower(monitor.name) collate "C")`;

/** The statement of `listAllMonitors`, so that its plan can be looked at. */
export function allMonitorsStatement(filter: MonitorFilter, { limit, after }: MonitorPage): SqlFragment {
  const { accountId, namePrefix, webhook } = filter;
  const byName = namePrefix !== null;
  const order = byName ? sql.fragment`${foldedName}, monitor.id` : sql.fragment`monitor.id desc`;
  const conditions = [
    ...(accountId === null ? [] : [sql.fragment`monitor.account_id = ${accountId}`]),
    ...(namePrefix === null ? [] : [startsWith(foldedName, namePrefix)]),
    ...(webhook === "disabled" ? [sql.fragment`monitor.webhook_disabled_at is not null`] : []),
    ...(after === null
      ? []
      : [
          byName
            ? sql.fragment`(${foldedName}, monitor.id) > (${after.foldedName}, ${after.monitorId})`
            : sql.fragment`monitor.id < ${after.monitorId}`,
        ]),
    sql.fragment`true`,
  ];
  return sql.fragment`
    with page as materialized (
      select monitor.id from monitor where ${sql.join(conditions, sql.fragment` and `)} order by ${order} limit ${limit}
    )
    select monitor.id, monitor.account_id, account.email, monitor.name, ${foldedName} as folded_name, monitor.paused_at, monitor.notify_email,
      monitor.notify_chat, monitor.notify_webhook, monitor.webhook_failure_count, monitor.webhook_disabled_at, monitor.last_notified_at,
      monitor.created_at, (select count(*) from tracker where tracker.monitor_id = monitor.id) as tracker_count
    from page join monitor on monitor.id = page.id join account on account.id = monitor.account_id
    order by ${order}`;
}

const ownerRow = z
  .object({ account_id: z.string(), email: z.string(), tier: z.enum(tiers) })
  .transform((row) => ({ accountId: row.account_id, email: row.email, tier: row.tier }));
/** Whose a monitor is. */
export type MonitorOwner = z.output<typeof ownerRow>;

/** Null where there is no such monitor. */
export async function readMonitorOwner(db: Queryable, monitorId: string): Promise<MonitorOwner | null> {
  return db.maybeOne(sql.type(ownerRow)`
    select monitor.account_id, account.email, account.tier from monitor join account on account.id = monitor.account_id
    where monitor.id = ${monitorId}`);
}
