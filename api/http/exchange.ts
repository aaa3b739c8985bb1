import type { Request, Response } from "express";
import type { Logger } from "pino";
import { newId } from "../../domain/ids.ts";

/** What the edge knows of a request and its answer while it is served. */
export interface Exchange {
  requestId: string;
  startedAt: number;
  /** The caller's own request id, where it sent a well-formed one: for the log only. */
  callerRequestId?: string;
  operationId?: string;
  accountId?: string;
  keyId?: string;
  rows?: number;
  replayed?: boolean;
  error?: unknown;
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

/** Gives the request its id, sets what every response carries, and logs the exchange once it is over. */
export function beginExchange(logger: Logger) {
  return (request: Request, response: Response, next: () => void): void => {
    const exchange: Exchange = { requestId: newId("request"), startedAt: performance.now() };
    const callerRequestId = request.headers["x-request-id"];
    if (typeof callerRequestId === "string" && wellFormedRequestId.test(callerRequestId))
      exchange.callerRequestId = callerRequestId;
    request.exchange = exchange;
    const headers = commonHeaders(exchange.requestId);
    for (const name in headers) response.setHeader(name, headers[name] ?? "");
    response.once("close", () => logExchange(logger, request, response));
    next();
  };
}

/** One line a request: who, what, how it ended; no header, no query, no body, so no secret. */
function logExchange(logger: Logger, request: Request, response: Response): void {
  const { startedAt, operationId, error, ...known } = request.exchange;
  const line = {
    ...known,
    route: operationId ?? null,
    method: request.method,
    status: response.writableFinished ? response.statusCode : 499,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  if (error === undefined) logger.info(line, "request");
  else logger.error({ ...line, error: describeFailure(error) }, "request failed");
}

/** An error for operators. Only names, messages and stacks: other properties may hold rows or values of a query. */
export function describeFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: "a value that is no error was thrown" };
  const cause = error.cause === undefined ? {} : { cause: describeFailure(error.cause) };
  return { name: error.name, message: error.message, stack: error.stack, ...cause };
}
