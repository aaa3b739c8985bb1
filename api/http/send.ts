import type { Request, Response } from "express";
import Negotiator from "negotiator";
import {
  givenHeaders,
  type NotModified,
  type ReadAnswer,
  type ReadyAnswer,
  renderAnswer,
  type RenderedAnswer,
} from "./answers.ts";
import { isCurrent } from "./entityTag.ts";
import { type Coding, codings, encode } from "./sharedBytes.ts";

/** Sends an answer as it is; one with an ETag turns into 304 when the caller has it already. */
export function send(request: Request, response: Response, answer: RenderedAnswer): void {
  const etag = answer.headers["ETag"];
  if (etag !== undefined && isCurrent(request.headers["if-none-match"], etag)) {
    const { "Content-Type": _, ...headers } = answer.headers;
    sendNotModified(response, { status: 304, headers });
    return;
  }
  setHeaders(response, answer.headers);
  response.setHeader("Content-Length", answer.body.length);
  response.writeHead(answer.status).end(answer.body);
}

/** Sends what the handler of a read returned, in whichever form. */
export async function sendRead(request: Request, response: Response, answer: ReadAnswer): Promise<void> {
  if ("shared" in answer) await sendReady(request, response, answer);
  else if ("json" in answer || "text" in answer) send(request, response, renderAnswer(answer));
  else sendNotModified(response, answer);
}

async function sendReady(request: Request, response: Response, answer: ReadyAnswer): Promise<void> {
  const coding = codingFor(request);
  const parts = await encode(coding, Buffer.from(answer.head), answer.shared);
  setHeaders(response, givenHeaders(answer.headers));
  response.setHeader("Content-Type", `${answer.mediaType}; charset=utf-8`);
  response.setHeader(
    "Content-Length",
    parts.reduce((bytes, part) => bytes + part.length, 0),
  );
  if (coding !== "identity") response.setHeader("Content-Encoding", coding);
  response.writeHead(answer.status);
  response.cork();
  for (const part of parts) response.write(part);
  response.end();
  response.uncork();
}

/** The coding that the caller likes best, of equals the cheapest; as it is where it takes none of them (RFC 9110, 12.5.3). */
function codingFor(request: Request): Coding {
  const [liked] = new Negotiator(request).encodings([...codings], { preferred: [...codings] });
  return codings.find((coding) => coding === liked) ?? "identity";
}

function sendNotModified(response: Response, { headers }: NotModified): void {
  setHeaders(response, givenHeaders(headers));
  response.writeHead(304).end();
}

function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? "");
}
