import { z } from "zod";
import { type Queryable, sql, timestamp, type Transaction } from "./pool.ts";

const secretRow = z
  .object({
    sealed_secret: z.instanceof(Buffer),
    sealed_previous: z.instanceof(Buffer).nullable(),
    previous_expires_at: timestamp.nullable(),
  })
  .transform((row) => ({
    sealed: row.sealed_secret,
    previous:
      row.sealed_previous === null || row.previous_expires_at === null
        ? null
        : { sealed: row.sealed_previous, expiresAt: row.previous_expires_at },
  }));
/** A monitor's secrets as the vault sealed them. */
export type SealedSecrets = z.output<typeof secretRow>;

export interface NewSecret {
  sealed: Buffer;
  /** Last four characters. */
  hint: string;
}

export async function insertWebhookSecret(
  db: Queryable,
  monitorId: string,
  secret: NewSecret,
  now: Date,
): Promise<void> {
  await db.query(sql.typeAlias("void")`
    insert into monitor_webhook_secret (monitor_id, sealed_secret, hint, created_at)
    values (${monitorId}, ${sql.binary(secret.sealed)}, ${secret.hint}, ${now.toISOString()})`);
}

/** Puts a new secret in place; the one that was there signs on until `previousExpiresAt`, and one before it is erased now. */
export async function rotateWebhookSecret(
  db: Queryable,
  monitorId: string,
  secret: NewSecret,
  times: { now: Date; previousExpiresAt: Date },
): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update monitor_webhook_secret set sealed_previous = sealed_secret, previous_expires_at = ${times.previousExpiresAt.toISOString()},
      sealed_secret = ${sql.binary(secret.sealed)}, hint = ${secret.hint}, rotated_at = ${times.now.toISOString()}
    where monitor_id = ${monitorId}`);
}

export async function readWebhookSecrets(db: Queryable, monitorId: string): Promise<SealedSecrets | null> {
  return db.maybeOne(sql.type(secretRow)`
    select sealed_secret, sealed_previous, previous_expires_at from monitor_webhook_secret where monitor_id = ${monitorId}`);
}

/** Erases a previous secret whose time has come. */
export async function eraseExpiredSecret(db: Queryable, monitorId: string, now: Date): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update monitor_webhook_secret set sealed_previous = null, previous_expires_at = null
    where monitor_id = ${monitorId} and previous_expires_at <= ${now.toISOString()}`);
}

/** When the previous secret stops signing, and whose account's it is; null where there is none. */
export async function readRotation(
  db: Queryable,
  monitorId: string,
): Promise<{ accountId: string; expiresAt: Date } | null> {
  const row = z
    .object({ account_id: z.string(), previous_expires_at: timestamp })
    .transform((found) => ({ accountId: found.account_id, expiresAt: found.previous_expires_at }));
  return db.maybeOne(sql.type(row)`
    select account_id, previous_expires_at from monitor_webhook_secret join monitor on monitor.id = monitor_id
    where monitor_id = ${monitorId} and previous_expires_at is not null`);
}

/** Monitors that have secrets, by id; `afterId` starts behind that one. */
export async function listSecretOwners(db: Queryable, afterId: string, limit: number): Promise<readonly string[]> {
  return db.anyFirst(sql.type(z.object({ monitor_id: z.string() }))`
    select monitor_id from monitor_webhook_secret where monitor_id > ${afterId} order by monitor_id limit ${limit}`);
}

/** As `readWebhookSecrets`, letting nobody else change them to the end of the transaction. */
export async function lockWebhookSecrets(transaction: Transaction, monitorId: string): Promise<SealedSecrets | null> {
  return transaction.maybeOne(sql.type(secretRow)`
    select sealed_secret, sealed_previous, previous_expires_at from monitor_webhook_secret where monitor_id = ${monitorId} for update`);
}

/** Puts the same secrets in place as they were sealed anew; null leaves one as it is. */
export async function replaceSealedSecrets(
  db: Queryable,
  monitorId: string,
  sealed: { current: Buffer | null; previous: Buffer | null },
): Promise<void> {
  const bytes = (one: Buffer | null) => (one === null ? sql.fragment`null::bytea` : sql.binary(one));
  await db.query(sql.typeAlias("void")`
    update monitor_webhook_secret set sealed_secret = coalesce(${bytes(sealed.current)}, sealed_secret),
      sealed_previous = coalesce(${bytes(sealed.previous)}, sealed_previous)
    where monitor_id = ${monitorId}`);
}
