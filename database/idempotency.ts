import { z } from "zod";
import { type Queryable, sql, type Transaction } from "./pool.ts";

const storedRow = z
  .object({
    fingerprint: z.instanceof(Buffer),
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    body: z.instanceof(Buffer),
    sealed: z.boolean(),
  })
  .transform(({ fingerprint, sealed, ...response }) => ({ fingerprint, sealed, response }));
/** `sealed`: the body is as the key vault left it. */
export type StoredAnswer = z.infer<typeof storedRow>;

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

/** The answer stored under the key, unless it is older than the retention. Read after the lock, so that it sees what the last holder committed. */
export async function readStoredAnswer(
  transaction: Transaction,
  scope: IdempotencyScope,
  keptSince: Date,
): Promise<StoredAnswer | null> {
  return transaction.maybeOne(sql.type(storedRow)`
    select fingerprint, status, headers, body, sealed from idempotency_key
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
      body = excluded.body, sealed = excluded.sealed, created_at = excluded.created_at`);
}

/** Deletes at most `limit` answers stored before a moment; returns how many. */
export async function deleteStoredAnswers(db: Queryable, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(sql.typeAlias("void")`
    delete from idempotency_key where (owner, key) in (
      select owner, key from idempotency_key where created_at <= ${before.toISOString()}::timestamptz
      order by created_at limit ${limit} for update skip locked)`);
  return rowCount;
}
