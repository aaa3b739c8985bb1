import { timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import type { ConsoleSession } from "../../../services/console/sessions.ts";
import { ConsoleRefusal } from "../refusal.ts";

const foreign = "This form was not sent by a page of the console. Open the page again, and send it from there.";

/** Throws where the browser says that a form was posted from another site (Fetch Metadata, and RFC 6454 of older ones). */
export function requireOwnOrigin(request: Request, publicUrl: string): void {
  const { headers } = request;
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  const isOwn =
    site === undefined
      ? origin === undefined || origin === new URL(publicUrl).origin || hostOf(origin) === headers.host
      : site === "same-origin";
  if (!isOwn) throw new ConsoleRefusal(403, foreign);
}

function hostOf(origin: string): string | null {
  return URL.parse(origin)?.host ?? null;
}

/** Throws for a form that does not carry the token of the session. */
export function requireFormToken(session: ConsoleSession, form: URLSearchParams): void {
  const given = Buffer.from(form.get("csrf") ?? "");
  const expected = Buffer.from(session.csrfToken);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new ConsoleRefusal(403, foreign);
}
