import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import type { Operation } from "../http/operation.ts";
import { responsesOf } from "./responses.ts";
import { internalIntroduction, internalTags, introduction, tags } from "./texts.ts";
import { describedWebhooks } from "./webhooks.ts";

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer svc_sk_…`" },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description: "The same key in a header of its own; it wins when both are sent.",
  },
} as const;

const internalSecuritySchemes = {
  bearer: { ...securitySchemes.bearer, description: "`Authorization: Bearer svc_int_…`" },
  apiKey: securitySchemes.apiKey,
} as const;

const idempotencyKey = z
  .string()
  .regex(/^[\x20-\x7e]+$/)
  .min(1)
  .max(255)
  .optional()
  .meta({
    description:
      "Name of this operation, made up by you. A repeat within 24 hours with the same key and request gets the first response again, without a second effect.",
    example: "1f0c9a52-7f0e-4d0c-9a2b-8f3f6d3a1c55",
  });

/** The OpenAPI 3.1 document of everything under `/v1`, from the very schemas that check requests. */
export function describeApi(operations: readonly Operation[], publicUrl: string) {
  const published = operations.filter(({ access }) => access.kind !== "internal");
  const title = "Media Index API";
  return describe(published, publicUrl, {
    title,
    description: introduction(publicUrl),
    tags,
    securitySchemes,
    webhooks: describedWebhooks,
  });
}

/** The document of everything under `/internal`, for operators. */
export function describeInternalApi(operations: readonly Operation[], publicUrl: string) {
  const internal = operations.filter(({ access }) => access.kind === "internal");
  return describe(internal, publicUrl, {
    title: "Media Index, internal API",
    description: internalIntroduction,
    tags: internalTags,
    securitySchemes: internalSecuritySchemes,
  });
}

function describe(
  operations: readonly Operation[],
  publicUrl: string,
  about: {
    title: string;
    description: string;
    tags: readonly { name: string; description: string }[];
    securitySchemes: typeof securitySchemes | typeof internalSecuritySchemes;
    webhooks?: ZodOpenApiPathsObject;
  },
) {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describeOperation(operation, publicUrl) };
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: about.title,
      version: "1.0.0",
      description: about.description,
      license: { name: "Proprietary", url: `${publicUrl}/docs` },
    },
    servers: [{ url: publicUrl, description: "This installation." }],
    tags: [...about.tags],
    security: [{ bearer: [] }, { apiKey: [] }],
    components: { securitySchemes: about.securitySchemes },
    paths,
    ...(about.webhooks !== undefined && { webhooks: about.webhooks }),
  });
}

function describeOperation(operation: Operation, publicUrl: string): ZodOpenApiOperationObject {
  const isWrite = operation.method !== "get";
  const takesKey = operation.access.kind !== "public";
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: [operation.description, permission(operation)].filter((part) => part !== "").join("\n\n"),
    tags: [operation.tag],
    ...(operation.access.kind === "public" && { security: [] }),
    requestParams: {
      ...(operation.params instanceof z.ZodObject && { path: operation.params }),
      ...(operation.query instanceof z.ZodObject && { query: operation.query }),
      ...(isWrite && takesKey && { header: z.object({ "Idempotency-Key": idempotencyKey }) }),
    },
    ...(isWrite && {
      requestBody: {
        required: !operation.body.safeParse(undefined).success,
        content: { "application/json": { schema: operation.body } },
      },
    }),
    responses: responsesOf(operation, publicUrl),
  };
}

function permission({ access }: Operation): string {
  if (access.kind !== "key") return "";
  const always = `Needs the scope \`${access.scope}\`${access.proPlus ? " and a tier of `pro_plus` or higher" : ""}.`;
  if (access.commercialWhen === undefined) return always;
  return `${always} With ${access.commercialWhen.says} it also needs a tier of \`pro_plus\` or higher and the scope \`recommendations:read\`.`;
}
