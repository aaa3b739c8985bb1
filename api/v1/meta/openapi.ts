import { createHash } from "node:crypto";
import { z } from "zod";
import { publicAccess } from "../../http/access.ts";
import { none, operation, type Operation } from "../../http/operation.ts";

const document = z.looseObject({
  openapi: z.string().meta({ description: "Version of OpenAPI.", example: "3.1.0" }),
  info: z.unknown().meta({ description: "Title, version and introduction." }),
  paths: z.unknown().optional().meta({ description: "The operations." }),
});

/** `GET /v1/openapi.json`; the document is made once, at the first call. */
export function openapiOperation(describe: () => z.input<typeof document>): Operation {
  let made: { json: z.input<typeof document>; etag: string } | null = null;
  return operation({
    id: "getOpenApi",
    method: "get",
    path: "/v1/openapi.json",
    tag: "Meta",
    summary: "This description of the API",
    access: publicAccess,
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
    handle() {
      made ??= make(describe());
      return { status: 200, json: made.json, headers: { ETag: made.etag, "Cache-Control": "public, no-cache" } };
    },
  });
}

function make(json: z.input<typeof document>) {
  const digest = createHash("sha256").update(JSON.stringify(json)).digest("base64url");
  return { json, etag: `"${digest.slice(0, 22)}"` };
}
