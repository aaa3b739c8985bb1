import { z } from "zod";
import { type Queryable, sql, timestamp, type Transaction } from "./pool.ts";

const keptRow = z
  .object({
    fingerprint: z.instanceof(Buffer),
    status: z.number().nullable(),
    headers: z.record(z.string(), z.string()).nullable(),
    body: z.instanceof(Buffer).nullable(),
    sealed: z.boolean(),
    effect_id: z.string().nullable(),
    leased_until: timestamp.nullable(),
  })
  .transform(({ fingerprint, status, headers, body, sealed, effect_id, leased_until }) => ({
    fingerprint,
    /** Null: its effect is still being carried out, or whoever was at it is gone. */
    answer:
      status === null || headers === null || body === null ? null : { response: { status, headers, body }, sealed },
    /** Of an effect that is committed elsewhere. */
    effectId: effect_id,
    leasedUntil: leased_until,
  }));
/** What is kept under a key of idempotency. */
export type KeptKey = z.output<typeof keptRow>;

/** `sealed`: the body is as the key vault left it. */
export interface StoredAnswer {
  fingerprint: Buffer;
  response: { status: number; headers: Record<string, string>; body: Buffer };
  sealed: boolean;
}

/** Whose key of idempotency (an account's or an internal key's), and which. */
export interface IdempotencyScope {
  owner: string;
  key: string;
}

/** Takes the key for this transaction; false when another transaction is carrying out a request with it. */
export async function lockIdempotencyKey(transaction: Transaction, scope: IdempotencyScope): Promise<boolean> {
  return transaction.oneFirst(sql.type(z.object({ locked: z.boolean() }))`
    select pg_try_advisory_xact_lock(hashtextextended(${`${scope.owner} ${scope.key}`}, 7426)) as locked`);
}

/** What is kept under the key, unless it is older than the retention. Read after the lock, so that it sees what the last holder committed. */
export async function readKeptKey(db: Queryable, scope: IdempotencyScope, keptSince: Date): Promise<KeptKey | null> {
  return db.maybeOne(sql.type(keptRow)`
    select fingerprint, status, headers, body, sealed, effect_id, leased_until from idempotency_key
    where owner = ${scope.owner} and key = ${scope.key} and created_at > ${keptSince.toISOString()}::timestamptz`);
}

/** Stores the answer in the transaction of its effect, over one that is past its retention. */
export async function insertStoredAnswer(
  transaction: Transaction,
  scope: IdempotencyScope,
  answer: StoredAnswer,
  at: Date,
): Promise<void> {
  const { fingerprint, sealed, response } = answer;
  await transaction.query(sql.typeAlias("void")`
    insert into idempotency_key (owner, key, fingerprint, status, headers, body, sealed, created_at)
    values (${scope.owner}, ${scope.key}, ${sql.binary(fingerprint)}, ${response.status}, ${sql.jsonb(response.headers)},
      ${sql.binary(response.body)}, ${sealed}, ${at.toISOString()}::timestamptz)
    on conflict (owner, key) do update set fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
      body = excluded.body, sealed = excluded.sealed, created_at = excluded.created_at, effect_id = null, leased_until = null`);
}

/** Keeps, before it is carried out, what an effect goes by, over what is past its retention. The caller holds the key's lock. */
export async function keepEffect(
  transaction: Transaction,
  scope: IdempotencyScope,
  effect: { fingerprint: Buffer; effectId: string; leasedUntil: Date },
  at: Date,
): Promise<void> {
  await transaction.query(sql.typeAlias("void")`
    insert into idempotency_key (owner, key, fingerprint, effect_id, leased_until, created_at)
    values (${scope.owner}, ${scope.key}, ${sql.binary(effect.fingerprint)}, ${effect.effectId}, ${effect.leasedUntil.toISOString()}::timestamptz,
      ${at.toISOString()}::timestamptz)
    on conflict (owner, key) do update set fingerprint = excluded.fingerprint, status = null, headers = null, body = null, sealed = false,
      created_at = excluded.created_at, effect_id = excluded.effect_id, leased_until = excluded.leased_until`);
}

/** Stores the answer of an effect that was kept; false where somebody else did first, or it is past its retention. */
export async function answerEffect(
  db: Queryable,
  scope: IdempotencyScope,
  effectId: string,
  response: StoredAnswer["response"],
): Promise<boolean> {
  const { rowCount } = await db.query(sql.typeAlias("void")`
    update idempotency_key set status = ${response.status}, headers = ${sql.jsonb(response.headers)}, body = ${sql.binary(response.body)}
    where owner = ${scope.owner} and key = ${scope.key} and effect_id = ${effectId} and status is null`);
  return rowCount > 0;
}

/** Lets others carry out an effect at once. */
export async function endEffectLease(db: Queryable, scope: IdempotencyScope, effectId: string): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update idempotency_key set leased_until = created_at
    where owner = ${scope.owner} and key = ${scope.key} and effect_id = ${effectId} and status is null`);
}

/** Forgets an effect that changed nothing: its key is free again. */
export async function forgetEffect(db: Queryable, scope: IdempotencyScope, effectId: string): Promise<void> {
  await db.query(sql.typeAlias("void")`
    delete from idempotency_key where owner = ${scope.owner} and key = ${scope.key} and effect_id = ${effectId} and status is null`);
}

/** Deletes at most `limit` answers stored before a moment; returns how many. */
export async function deleteStoredAnswers(db: Queryable, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(sql.typeAlias("void")`
    delete from idempotency_key where (owner, key) in (
      select owner, key from idempotency_key where created_at <= ${before.toISOString()}::timestamptz
      order by created_at limit ${limit} for update skip locked)`);
  return rowCount;
}
