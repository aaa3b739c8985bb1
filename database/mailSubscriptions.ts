import { z } from "zod";
import type { MonitorMail } from "../domain/delivery/mailReceivers.ts";
import { type Queryable, sql, type Transaction } from "./pool.ts";

const monitorMailRow = z
  .object({
    name: z.string(),
    notify_email: z.boolean(),
    email_addresses: z.array(z.string()),
    account_email: z.string(),
    tracker_mails: z.boolean(),
  })
  .transform((row) => ({
    name: row.name,
    notifyEmail: row.notify_email,
    emailAddresses: row.email_addresses,
    accountEmail: row.account_email,
    /** One of its trackers mails of its own accord. */
    trackerMails: row.tracker_mails,
  }));
/** Whom a monitor mails, and on whose behalf. */
export type StoredMonitorMail = z.output<typeof monitorMailRow>;

export async function readMonitorMail(db: Queryable, monitorId: string): Promise<StoredMonitorMail | null> {
  return db.maybeOne(sql.type(monitorMailRow)`
    select name, notify_email, email_addresses, account.email as account_email,
      exists (select from tracker where tracker.monitor_id = monitor.id and tracker.notify_email) as tracker_mails
    from monitor join account on account.id = monitor.account_id where monitor.id = ${monitorId}`);
}

/** Lets one writer at a time change whom a monitor mails, to the end of the transaction. */
export async function lockMonitorMail(transaction: Transaction, monitorId: string): Promise<void> {
  await transaction.query(sql.typeAlias("void")`select from monitor where id = ${monitorId} for no key update`);
}

export async function updateMonitorMail(db: Queryable, monitorId: string, mail: MonitorMail, now: Date): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update monitor set notify_email = ${mail.notifyEmail}, email_addresses = ${sql.array([...mail.emailAddresses], "text")},
      updated_at = ${now.toISOString()}
    where id = ${monitorId}`);
}

/** Leaves it to the monitor whether its trackers mail. */
export async function inheritMail(db: Queryable, monitorId: string, now: Date): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update tracker set notify_email = null, updated_at = ${now.toISOString()} where monitor_id = ${monitorId} and notify_email`);
}

const trackerMailRow = z
  .object({
    name: z.string(),
    monitor_id: z.string().nullable(),
    notify_email: z.boolean().nullable(),
    account_email: z.string(),
  })
  .transform((row) => ({
    name: row.name,
    monitorId: row.monitor_id,
    /** Null is on where there is no monitor. */
    notifyEmail: row.notify_email,
    accountEmail: row.account_email,
  }));

export async function readTrackerMail(
  db: Queryable,
  trackerId: string,
): Promise<z.output<typeof trackerMailRow> | null> {
  return db.maybeOne(sql.type(trackerMailRow)`
    select coalesce(tracker.display_name, canonical.name) as name, tracker.monitor_id, tracker.notify_email, account.email as account_email
    from tracker
      join account on account.id = tracker.account_id
      join entity on entity.id = tracker.entity_id
      join entity as canonical on canonical.id = coalesce(entity.canonical_id, entity.id)
    where tracker.id = ${trackerId}`);
}

/** Ends the mails of a tracker that has no monitor. */
export async function stopTrackerMail(db: Queryable, trackerId: string, now: Date): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update tracker set notify_email = false, updated_at = ${now.toISOString()} where id = ${trackerId} and monitor_id is null`);
}
