import type { IncomingHttpHeaders } from "node:http";
import { isKeyOfKind, type KeyKind } from "../../domain/apiKeys.ts";

/** The key a request carries, if it has the form of one of that kind; `x-api-key` wins over `Authorization`. */
export function readKey(headers: IncomingHttpHeaders, kind: KeyKind): string | null {
  const apiKey = headers["x-api-key"];
  const key =
    apiKey === undefined ? bearerToken(headers.authorization) : typeof apiKey === "string" ? apiKey.trim() : null;
  return key !== null && isKeyOfKind(key, kind) ? key : null;
}

function bearerToken(authorization: string | undefined): string | null {
  return /^bearer +(\S+)$/i.exec(authorization?.trim() ?? "")?.[1] ?? null;
}
