import { createHash } from "node:crypto";
import type { Request } from "express";
import { ApiError } from "../../domain/errors.ts";

const form = /^[\x20-\x7e]{1,255}$/;

/** The request's Idempotency-Key, or null. A malformed one is `invalid_body`, on DELETE `invalid_query` (decisions.md). */
export function readIdempotencyKey(request: Request): string | null {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return null;
  if (typeof key === "string" && form.test(key)) return key;
  throw new ApiError(
    request.method === "DELETE" ? "invalid_query" : "invalid_body",
    "The header `Idempotency-Key` must be 1 to 255 printable ASCII characters.",
  );
}

/** Identifies a request: method, path, query and the bytes of its body. */
export function requestFingerprint(request: Request, body: Buffer): Buffer {
  return createHash("sha256").update(`${request.method} ${request.originalUrl}\n`).update(body).digest();
}
