import type { Request, Response } from "express";
import type { RenderedAnswer } from "./answers.ts";

/** Sends an answer as it is; one with an ETag turns into 304 when the caller has it already. */
export function send(request: Request, response: Response, answer: RenderedAnswer): void {
  for (const name in answer.headers) response.setHeader(name, answer.headers[name] ?? "");
  const etag = answer.headers["ETag"];
  if (etag !== undefined && isCurrent(request.headers["if-none-match"], etag)) {
    response.removeHeader("Content-Type");
    response.writeHead(304).end();
    return;
  }
  response.setHeader("Content-Length", answer.body.length);
  response.writeHead(answer.status).end(answer.body);
}

/** Weak comparison, as RFC 9110 asks for If-None-Match. */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => opaque(tag) === opaque(etag));
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, "");
}
