import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Request, Response } from "express";
import { ApiError } from "../../domain/errors.ts";

export type ReadBody = (request: Request, response: Response) => Promise<Buffer>;

/** What bodies may be, as `Content-Type` says it. */
const bodyTypes = {
  json: /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i,
  form: /^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i,
};
/** What is still under way of a refused body is not worth waiting for. */
const closing = { headers: { Connection: "close" } };

/**
 * Reads the bytes of a body of one type, compressed or not; empty where there is none. Throws for another content type or encoding (415), for one
 * that is too large once it is unpacked (413, as soon as that is known), for one that does not arrive in time (408), and for one that is
 * broken (400).
 */
export function createBodyReader(
  limits: { maxBodyBytes: number; bodyTimeoutSeconds: number },
  type: keyof typeof bodyTypes,
): ReadBody {
  return async (request, response) => {
    const { headers } = request;
    const announced = Number(headers["content-length"] ?? "0");
    if (headers["transfer-encoding"] === undefined && announced === 0) return Buffer.alloc(0);
    if (!bodyTypes[type].test(headers["content-type"] ?? "")) throw new ApiError("unsupported_media_type");
    const unpacker = createUnpacker(headers["content-encoding"] ?? "identity");
    if (announced > limits.maxBodyBytes) throw new ApiError("body_too_large", undefined, closing);
    // Only now is a body wanted that the caller holds back until it is asked for.
    if (/100-continue/i.test(headers.expect ?? "")) response.writeContinue();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(tooSlow(limits.bodyTimeoutSeconds)), limits.bodyTimeoutSeconds * 1000);
    try {
      return await Promise.race([collect(request, unpacker, limits.maxBodyBytes), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The request itself stays open whatever happens: it still has to be answered. */
async function collect(request: Request, unpacker: Transform | null, maxBytes: number): Promise<Buffer> {
  let source: Readable = request;
  if (unpacker !== null) {
    request.once("error", (error) => unpacker.destroy(error));
    source = request.pipe(unpacker);
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of source.iterator({ destroyOnReturn: false })) {
      parts.push(part);
      bytes += part.length;
      if (bytes > maxBytes) throw new ApiError("body_too_large", undefined, closing);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("invalid_body", "The body is cut off or wrongly compressed.", closing);
  } finally {
    unpacker?.destroy();
  }
  return Buffer.concat(parts);
}

function createUnpacker(encoding: string): Transform | null {
  switch (encoding.trim().toLowerCase()) {
    case "identity":
      return null;
    case "gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      throw new ApiError(
        "unsupported_media_type",
        "The body's `Content-Encoding` is not one of identity, gzip, deflate and br.",
      );
  }
}

function tooSlow(seconds: number): ApiError {
  return new ApiError(
    "request_timeout",
    `The body did not arrive whole within ${seconds} seconds; send it again.`,
    closing,
  );
}
