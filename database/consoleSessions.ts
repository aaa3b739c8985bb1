import { z } from "zod";
import { momentOf, type Queryable, sql, timestamp } from "./pool.ts";

const sessionRow = z
  .object({ key_id: z.string(), key_name: z.string(), flash: z.string().nullable(), used_at: timestamp })
  .transform((row) => ({ keyId: row.key_id, keyName: row.key_name, flash: row.flash, usedAt: row.used_at }));
export type OpenSession = z.output<typeof sessionRow>;

export interface NewSession {
  tokenSha256: Buffer;
  keyId: string;
  createdAt: Date;
  expiresAt: Date;
}

export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  const createdAt = momentOf(session.createdAt);
  await db.query(sql.typeAlias("void")`
    insert into console_session (token_sha256, key_id, created_at, used_at, expires_at)
    values (${sql.binary(session.tokenSha256)}, ${session.keyId}, ${createdAt}, ${createdAt}, ${momentOf(session.expiresAt)})`);
}

/** The session with the token, if it is not over at `now`, was used after `idleSince`, and its key is still a live internal one. */
export async function readSession(
  db: Queryable,
  tokenSha256: Buffer,
  { now, idleSince }: { now: Date; idleSince: Date },
): Promise<OpenSession | null> {
  return db.maybeOne(sql.type(sessionRow)`
    select api_key.id as key_id, api_key.name as key_name, session.flash, session.used_at
    from console_session as session join api_key on api_key.id = session.key_id
    where session.token_sha256 = ${sql.binary(tokenSha256)} and session.expires_at > ${momentOf(now)} and session.used_at > ${momentOf(idleSince)}
      and api_key.account_id is null and api_key.state = 'active' and (api_key.expires_at is null or api_key.expires_at > ${momentOf(now)})`);
}

/** Notes that the session was used, and that what it had to say was said. */
export async function markSessionUsed(db: Queryable, tokenSha256: Buffer, now: Date): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update console_session set used_at = ${momentOf(now)}, flash = null where token_sha256 = ${sql.binary(tokenSha256)}`);
}

/** Has the session's next page say something once. */
export async function setFlash(db: Queryable, tokenSha256: Buffer, flash: string): Promise<void> {
  await db.query(sql.typeAlias("void")`
    update console_session set flash = ${flash} where token_sha256 = ${sql.binary(tokenSha256)}`);
}

export async function deleteSession(db: Queryable, tokenSha256: Buffer): Promise<void> {
  await db.query(sql.typeAlias("void")`
    delete from console_session where token_sha256 = ${sql.binary(tokenSha256)}`);
}

/** Forgets sessions that can never be opened again. */
export async function deleteEndedSessions(
  db: Queryable,
  { now, idleSince }: { now: Date; idleSince: Date },
): Promise<void> {
  await db.query(sql.typeAlias("void")`
    delete from console_session where expires_at <= ${momentOf(now)} or used_at <= ${momentOf(idleSince)}`);
}
