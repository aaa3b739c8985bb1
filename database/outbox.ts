import { Client } from "pg";
import { z } from "zod";
import { count, type Queryable, sql, type Transaction } from "./pool.ts";

/** What a committed change asks Temporal to do. `subject` is an id; never a text or a secret. */
export const outboxKinds = [
  "transcription.start",
  "transcription.cancel",
  "scan.start",
  "channel.schedule",
  "alert.start",
  "rotation.start",
  "review.start",
  "teaching.start",
  "notice.start",
  "delivery.start",
] as const;
export type OutboxKind = (typeof outboxKinds)[number];

/** 0: somebody waits for it. 1: one of many that were asked for at once, which go out behind everything else. */
const outboxPriority = z.union([z.literal(0), z.literal(1)]);
export type OutboxPriority = z.infer<typeof outboxPriority>;

const outboxRow = z.object({ id: count, kind: z.enum(outboxKinds), subject: z.string(), priority: outboxPriority });
export type OutboxMessage = z.infer<typeof outboxRow>;

/** Joins the caller's transaction, so that a change and its message commit together. */
export async function insertOutbox(db: Queryable, kind: OutboxKind, subject: string): Promise<void> {
  await db.query(sql.typeAlias("void")`insert into outbox (kind, subject) values (${kind}, ${subject})`);
}

/**
 * Locks the messages of these kinds whose turn it is and that nobody else holds, oldest first of each priority, for as long as the
 * transaction runs.
 */
export async function lockOutbox(
  transaction: Transaction,
  kinds: readonly OutboxKind[],
  limit: number,
): Promise<readonly OutboxMessage[]> {
  return transaction.any(sql.type(outboxRow)`
    select id, kind, subject, priority from outbox where next_attempt_at <= now() and kind = any(${sql.array([...kinds], "text")})
    order by priority, id limit ${limit} for update skip locked`);
}

export async function deleteOutbox(transaction: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction.query(sql.typeAlias("void")`delete from outbox where id = any(${sql.array([...ids], "int8")})`);
}

const longestWaitSeconds = 60;

/** Puts off what was refused, the longer the more often, so that what comes behind it is not held up. */
export async function postponeOutbox(transaction: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction.query(sql.typeAlias("void")`
    update outbox set attempts = attempts + 1, next_attempt_at = now() + least(power(2, least(attempts, 10)), ${longestWaitSeconds}) * interval '1 second'
    where id = any(${sql.array([...ids], "int8")})`);
}

export interface OutboxListener {
  close(): Promise<void>;
}

const patienceMilliseconds = 10_000;

/**
 * Calls `wake` whenever a message commits. A lost connection calls `lost` once; the caller listens anew. Throws when the database does not
 * answer within ten seconds.
 */
export async function listenToOutbox(databaseUrl: string, wake: () => void, lost: () => void): Promise<OutboxListener> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: patienceMilliseconds,
    query_timeout: patienceMilliseconds,
    keepAlive: true,
  });
  let closing = false;
  const onLost = () => {
    if (closing) return;
    closing = true;
    lost();
  };
  client.on("error", onLost);
  client.on("end", onLost);
  client.on("notification", wake);
  try {
    await client.connect();
    await client.query("listen outbox");
  } catch (error) {
    closing = true;
    void client.end().catch(() => undefined);
    throw error;
  }
  return {
    close: async () => {
      closing = true;
      await client.end();
    },
  };
}
