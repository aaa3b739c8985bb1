import type { Response } from "express";
import { ApiError } from "../../domain/errors.ts";

/** Sets the `RateLimit-*` headers of a request that has been counted, and refuses it (429) when it is past the limit. */
export function enforceRateLimit(
  response: Response,
  window: { requests: number; resetSeconds: number },
  limitPerMinute: number,
): void {
  response.setHeader("RateLimit-Limit", limitPerMinute);
  response.setHeader("RateLimit-Remaining", Math.max(0, limitPerMinute - window.requests));
  response.setHeader("RateLimit-Reset", window.resetSeconds);
  response.setHeader("RateLimit-Policy", `${limitPerMinute};w=60`);
  if (window.requests > limitPerMinute) {
    throw new ApiError(
      "rate_limit_exceeded",
      `This key may make ${limitPerMinute} requests a minute; try again in ${window.resetSeconds} seconds.`,
      {
        headers: { "Retry-After": String(window.resetSeconds) },
      },
    );
  }
}
