import { isIP } from "node:net";
import type { Request } from "express";

/** Where the request comes from: the connection's address, or what a trusted proxy says (`trust proxy` of the app). */
export function clientAddress(request: Request): string | null {
  const [address = ""] = (request.ip ?? "").split("%");
  if (isIP(address) !== 0) return address.replace(/^::ffff:(?=\d+\.)/i, "");
  return request.socket.remoteAddress ?? null;
}
