import { z } from "zod";
import type { FailureConsequence } from "../domain/delivery/attempts.ts";
import { type Queryable, sql, timestamp, type Transaction } from "./pool.ts";

/** Switches a monitor's webhook off; false where it is off already, or gone. */
export async function disableWebhook(
  db: Queryable,
  monitorId: string,
  disabled: { reason: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(sql.typeAlias("void")`
    update monitor set webhook_disabled_at = ${disabled.at.toISOString()}, webhook_disabled_reason = ${disabled.reason}
    where id = ${monitorId} and webhook_disabled_at is null`);
  return rowCount > 0;
}

/** An attempt whose time comes this soon may be under way: it finds out itself that the webhook is off. */
const leastWaitSeconds = 1;

/**
 * Ends, as skipped, what waits for another attempt at a monitor's webhook; where a tracker has an address of its own, that goes on. What is
 * under way is left alone. Occurrences that are over with it are settled, but for those that somebody else holds: their own turn comes.
 */
export async function stopWaitingForWebhook(transaction: Transaction, monitorId: string, now: Date): Promise<void> {
  const stopped = await transaction.anyFirst(sql.type(z.object({ occurrence_id: z.string() }))`
    with stopped as (
      update alert_delivery as delivery set status = 'skipped', reason = 'webhook_disabled', next_attempt_at = null
      where monitor_id = ${monitorId} and channel = 'webhook' and status = 'pending' and purpose <> 'test'
        and next_attempt_at > ${now.toISOString()}::timestamptz + ${leastWaitSeconds} * interval '1 second'
        and not exists (
          select from alert_occurrence as alert join tracker on tracker.id = alert.tracker_id
          where alert.id = delivery.occurrence_id and tracker.webhook_url is not null
        )
      returning id, occurrence_id, attempts
    ), logged as (
      insert into delivery_attempt (delivery_id, monitor_id, channel, number, outcome, at, error_kind)
      select id, ${monitorId}, 'webhook', attempts + 1, 'skipped', ${now.toISOString()}::timestamptz, 'webhook_disabled' from stopped order by id
      on conflict on constraint delivery_attempt_once do nothing
    )
    select distinct occurrence_id from stopped`);
  await settle(
    transaction,
    sql.fragment`select id from alert_occurrence where id = any(${sql.array([...stopped], "text")}) for no key update skip locked`,
  );
}

/** Settles an occurrence that has nothing left to deliver, where that has not happened yet. */
export async function settleAlert(transaction: Transaction, alertId: string): Promise<void> {
  await transaction.query(sql.typeAlias("void")`select from alert_occurrence where id = ${alertId} for no key update`);
  await settle(transaction, sql.fragment`select ${alertId}::text as id`);
}

/** Their rows are locked by the time it looks. */
async function settle(transaction: Transaction, alerts: ReturnType<typeof sql.fragment>): Promise<void> {
  const ids = await transaction.anyFirst(sql.type(z.object({ id: z.string() }))`${alerts}`);
  await transaction.query(sql.typeAlias("void")`
    update alert_occurrence as alert set status = 'failed'
    where id = any(${sql.array([...ids], "text")}) and status = 'pending' and begun_at is not null
      and exists (select from alert_delivery where occurrence_id = alert.id and purpose = 'alert')
      and not exists (
        select from alert_delivery where occurrence_id = alert.id and purpose = 'alert' and status in ('pending', 'succeeded')
      )`);
}

export interface NewNotice {
  noticeId: string;
  monitorId: string;
  consequence: Exclude<FailureConsequence, "none">;
  failures: number;
  lastError: string;
  at: Date;
}

/** Writes down what the owner of a webhook is to be told; nothing where the monitor is gone. */
export async function insertNotice(db: Queryable, notice: NewNotice): Promise<void> {
  await db.query(sql.typeAlias("void")`
    with noted as (
      insert into webhook_notice (id, account_id, monitor_id, monitor_name, consequence, failures, last_error, created_at)
      select ${notice.noticeId}, account_id, id, name, ${notice.consequence}, ${notice.failures}, ${notice.lastError}, ${notice.at.toISOString()}
      from monitor where id = ${notice.monitorId}
      returning id
    )
    insert into outbox (kind, subject) select 'notice.start', id from noted`);
}

const noticeRow = z
  .object({
    id: z.string(),
    account_id: z.string(),
    email: z.string(),
    monitor_id: z.string(),
    monitor_name: z.string(),
    consequence: z.enum(["warn", "disable"]),
    failures: z.number(),
    last_error: z.string(),
    created_at: timestamp,
    sent_at: timestamp.nullable(),
  })
  .transform((row) => ({
    noticeId: row.id,
    accountId: row.account_id,
    accountEmail: row.email,
    monitorId: row.monitor_id,
    monitorName: row.monitor_name,
    consequence: row.consequence,
    failures: row.failures,
    lastError: row.last_error,
    at: row.created_at,
    sentAt: row.sent_at,
  }));
export type Notice = z.output<typeof noticeRow>;

export async function readNotice(db: Queryable, noticeId: string): Promise<Notice | null> {
  return db.maybeOne(sql.type(noticeRow)`
    select notice.id, account_id, email, monitor_id, monitor_name, consequence, failures, last_error, notice.created_at, sent_at
    from webhook_notice as notice join account on account.id = account_id where notice.id = ${noticeId}`);
}

export async function markNoticeSent(db: Queryable, noticeId: string, now: Date): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update webhook_notice set sent_at = ${now.toISOString()} where id = ${noticeId} and sent_at is null`);
}
