import express, { type Request, type Response } from "express";
import { ApiError } from "../../domain/errors.ts";

export type ReadBody = (request: Request, response: Response) => Promise<Buffer>;

const jsonMediaType = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

/** Reads the bytes of a JSON body; empty where there is none. Throws for another content type (415) and for one too large (413). */
export function createBodyReader(maxBodyBytes: number): ReadBody {
  const readRaw = express.raw({ type: () => true, limit: maxBodyBytes });
  return async (request, response) => {
    const { headers } = request;
    const hasBody = headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
    if (!hasBody) return Buffer.alloc(0);
    if (!jsonMediaType.test(headers["content-type"] ?? "")) throw new ApiError("unsupported_media_type");
    await new Promise<void>((resolve, reject) => {
      readRaw(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
    const body: unknown = request.body;
    return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  };
}
