import type { Response } from "express";

/** Nothing remote and nothing inline may run or be loaded, and forms lead nowhere else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Beside what every response carries. Browsers name the origin of forms only where pages may name it to themselves. */
export function setPageHeaders(response: Response): void {
  response.setHeader("Content-Security-Policy", policy);
  response.setHeader("Referrer-Policy", "same-origin");
  response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
}
