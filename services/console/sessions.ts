import { createHmac, hash, randomBytes } from "node:crypto";
import {
  deleteEndedSessions,
  deleteSession,
  insertSession,
  markSessionUsed,
  readSession,
  setFlash,
} from "../../database/consoleSessions.ts";
import type { ServiceContext } from "../context.ts";

/** Somebody who is signed in to the console. */
export interface ConsoleSession {
  /** What the session is kept under. */
  tokenSha256: Buffer;
  /** The internal key that it was opened with: who acts. */
  keyId: string;
  keyName: string;
  /** What forms of this session carry, so that no other site can post them. */
  csrfToken: string;
  /** What the next page says once. */
  flash: string | null;
  usedAt: Date;
}

/** How old the note of a session's last use may become before it is written anew. */
const useWrittenAfterSeconds = 60;

/** Opens a session for a key that was checked; returns its token of 256 random bits, which is kept nowhere. */
export async function beginSession(context: ServiceContext, keyId: string): Promise<string> {
  const { pool, settings } = context;
  const token = randomBytes(32).toString("base64url");
  const createdAt = context.clock();
  const expiresAt = new Date(createdAt.getTime() + settings.console.sessionSeconds * 1000);
  await deleteEndedSessions(pool, bounds(context));
  await insertSession(pool, { tokenSha256: sha256(token), keyId, createdAt, expiresAt });
  return token;
}

/** The session of a token; null where it is unknown, over or idle, or its key was disabled, deleted or has expired. */
export async function openSession(context: ServiceContext, token: string): Promise<ConsoleSession | null> {
  const tokenSha256 = sha256(token);
  const session = await readSession(context.pool, tokenSha256, bounds(context));
  if (session === null) return null;
  return { ...session, tokenSha256, csrfToken: createHmac("sha256", token).update("console form").digest("base64url") };
}

/** Notes that a page of the session was shown, with what it had to say. */
export async function noteShown({ pool, clock }: ServiceContext, session: ConsoleSession): Promise<void> {
  const now = clock();
  const isStale = now.getTime() - session.usedAt.getTime() > useWrittenAfterSeconds * 1000;
  if (isStale || session.flash !== null) await markSessionUsed(pool, session.tokenSha256, now);
}

/** Has the session's next page say something once. */
export async function sayNext({ pool }: ServiceContext, session: ConsoleSession, flash: string): Promise<void> {
  await setFlash(pool, session.tokenSha256, flash);
}

/** Ends the session of a token; one that is over already does no harm. */
export async function endSession({ pool }: ServiceContext, token: string): Promise<void> {
  await deleteSession(pool, sha256(token));
}

function sha256(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

function bounds({ clock, settings }: ServiceContext): { now: Date; idleSince: Date } {
  const now = clock();
  return { now, idleSince: new Date(now.getTime() - settings.console.idleSeconds * 1000) };
}
