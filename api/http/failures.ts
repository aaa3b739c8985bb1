import type { ErrorRequestHandler } from "express";
import { BareRefusal } from "../../domain/bareRefusals.ts";
import { ApiError, type ErrorCode, errorCatalog } from "../../domain/errors.ts";
import type { RenderedAnswer } from "./answers.ts";
import { send } from "./send.ts";

/** Where the page of the error catalog lives. */
export const errorPagePath = "/docs/errors";

/** The envelope of the specification, "Errors". */
export function errorEnvelope(code: ErrorCode, message: string, requestId: string, publicUrl: string) {
  const { type } = errorCatalog[code];
  return { error: { type, code, message, doc_url: `${publicUrl}${errorPagePath}#${code}`, request_id: requestId } };
}

/** Turns whatever was thrown into its response: the catalog's errors, bare bodies, the router's own, and 500 for all else. */
function renderFailure(error: unknown, requestId: string, publicUrl: string): RenderedAnswer {
  if (error instanceof BareRefusal) return render(error.status, error.body);
  const refusal = toApiError(error);
  const envelope = errorEnvelope(refusal.code, refusal.message, requestId, publicUrl);
  return render(errorCatalog[refusal.code].status, { ...envelope, ...refusal.extra }, refusal.headers);
}

function render(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): RenderedAnswer {
  return {
    status,
    headers: { ...headers, "Content-Type": "application/json; charset=utf-8" },
    body: Buffer.from(JSON.stringify(body)),
  };
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // Thrown by the router.
  if (error instanceof URIError) return new ApiError("invalid_query", "The path is not valid percent-encoded UTF-8.");
  return new ApiError("internal_error");
}

/** The one place where failures become responses. */
export function answerFailures(publicUrl: string): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const { exchange } = request;
    const rendered = renderFailure(error, exchange.requestId, publicUrl);
    exchange.code = error instanceof BareRefusal ? error.message : toApiError(error).code;
    if (rendered.status >= 500) exchange.error = error;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    send(request, response, rendered);
  };
}
