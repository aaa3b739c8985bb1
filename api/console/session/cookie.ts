import { parse } from "cookie";
import type { CookieOptions, Request, Response } from "express";

/** Where the token of a session lies in the browser, out of reach of scripts and of other sites' requests. */
export interface SessionCookie {
  read(request: Request): string | null;
  set(response: Response, token: string, seconds: number): void;
  clear(response: Response): void;
}

/** The cookie of an installation at an address. Over https it is bound to that very host (RFC 6265bis, "The __Host- Prefix"). */
export function sessionCookie(publicUrl: string): SessionCookie {
  const isSecure = publicUrl.startsWith("https:");
  const name = isSecure ? "__Host-console_session" : "console_session";
  const options: CookieOptions = {
    httpOnly: true,
    sameSite: "strict",
    secure: isSecure,
    path: isSecure ? "/" : "/console",
  };
  return {
    read: (request) => parse(request.headers.cookie ?? "")[name] ?? null,
    set: (response, token, seconds) => void response.cookie(name, token, { ...options, maxAge: seconds * 1000 }),
    clear: (response) => void response.clearCookie(name, options),
  };
}
