import { createHash } from "node:crypto";
import { z } from "zod";
import { internalAccess, publicAccess } from "../../http/access.ts";
import { none, operation, type Operation } from "../../http/operation.ts";

const document = z.looseObject({
  openapi: z.string().meta({ description: "Version of OpenAPI.", example: "3.1.0" }),
  info: z.unknown().meta({ description: "Title, version and introduction." }),
  paths: z.unknown().optional().meta({ description: "The operations." }),
});
type Document = z.input<typeof document>;

const common = {
  method: "get",
  tag: "Meta",
  summary: "This description of the API",
  params: none,
  query: none,
  responses: {
    200: {
      description: "An OpenAPI 3.1 document.",
      json: document,
      headers: {
        ETag: z.string().meta({ description: "For `If-None-Match`." }),
        "Cache-Control": z.string().meta({ description: "How to cache it." }),
      },
    },
  },
} as const;

/** `GET /v1/openapi.json`; the document is made once, at the first call. */
export function openapiOperation(describe: () => Document): Operation {
  const handle = answerOnceMade(describe, "public, no-cache");
  return operation({ ...common, id: "getOpenApi", path: "/v1/openapi.json", access: publicAccess, handle });
}

/** `GET /internal/openapi.json`, for internal keys only. */
export function internalOpenapiOperation(describe: () => Document): Operation {
  const handle = answerOnceMade(describe, "private, no-cache");
  return operation({
    ...common,
    id: "getInternalOpenApi",
    path: "/internal/openapi.json",
    access: internalAccess,
    handle,
  });
}

function answerOnceMade(describe: () => Document, caching: string) {
  let made: { json: Document; etag: string } | null = null;
  return () => {
    made ??= make(describe());
    return { status: 200 as const, json: made.json, headers: { ETag: made.etag, "Cache-Control": caching } };
  };
}

function make(json: Document) {
  const digest = createHash("sha256").update(JSON.stringify(json)).digest("base64url");
  return { json, etag: `"${digest.slice(0, 22)}"` };
}
