import type { Request, Response } from "express";
import type { Logger } from "pino";
import { describeFailure } from "../../domain/describeFailure.ts";
import { newId } from "../../domain/ids.ts";

/** What the edge knows of a request and its answer while it is served. */
interface Exchange {
  requestId: string;
  startedAt: number;
  /** The caller's own request id, where it sent a well-formed one: for the log only. */
  callerRequestId?: string;
  operationId?: string;
  accountId?: string;
  keyId?: string;
  /** Charged by this request; a replay charges none. */
  rows: number;
  hasIdempotencyKey?: boolean;
  replayed?: boolean;
  /** Code of the refusal that was answered. */
  code?: string;
  error?: unknown;
}

/** An exchange that is over. */
export interface EndedExchange extends Exchange {
  method: string;
  status: number;
  durationSeconds: number;
}

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- the only way to extend Express's request
  namespace Express {
    interface Request {
      exchange: Exchange;
    }
  }
}

export const serviceVersion = "1.2.0";

const wellFormedRequestId = /^[A-Za-z0-9_.:-]{1,128}$/;

/** Headers of every response, whatever it turns out to be. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    "X-Request-Id": requestId,
    "X-Service-Version": serviceVersion,
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
  };
}

/** Gives the request its id, sets what every response carries, and tells of the exchange once it is over. */
export function beginExchange(onEnd: (ended: EndedExchange) => void) {
  return (request: Request, response: Response, next: () => void): void => {
    const exchange: Exchange = { requestId: newId("request"), startedAt: performance.now(), rows: 0 };
    const callerRequestId = request.headers["x-request-id"];
    if (typeof callerRequestId === "string" && wellFormedRequestId.test(callerRequestId))
      exchange.callerRequestId = callerRequestId;
    request.exchange = exchange;
    const headers = commonHeaders(exchange.requestId);
    for (const name in headers) response.setHeader(name, headers[name] ?? "");
    response.once("close", () => onEnd(endOf(request, response)));
    next();
  };
}

function endOf(request: Request, response: Response): EndedExchange {
  const { exchange, method } = request;
  const status = response.writableFinished ? response.statusCode : 499;
  return { ...exchange, method, status, durationSeconds: (performance.now() - exchange.startedAt) / 1000 };
}

/** One line a request: who, what, how it ended; no header, no query, no body, so no secret. */
export function logExchange(logger: Logger, ended: EndedExchange): void {
  const { startedAt: _, durationSeconds, operationId, error, ...known } = ended;
  const line = { ...known, route: operationId ?? null, durationMs: Math.round(durationSeconds * 10_000) / 10 };
  if (error === undefined) logger.info(line, "request");
  else logger.error({ ...line, error: describeFailure(error) }, "request failed");
}
