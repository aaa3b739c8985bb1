import { z } from "zod";
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { errorCatalog, type ErrorCode } from "../../domain/errors.ts";
import type { ResponseSpec } from "../http/answers.ts";
import type { Operation } from "../http/operation.ts";
import { upgradeRequiredBody } from "./bareBodies.ts";
import { errorExamples, errorSchema } from "./errorSchema.ts";

const text = (description: string, example: string, id: string) =>
  z.string().meta({ description, example, header: { id } });
const whole = (description: string, example: number, id: string) =>
  z.int().min(0).meta({ description, example, header: { id } });

const everyHeader = {
  "X-Request-Id": text(
    "Id of this request; quote it when you report a problem.",
    "req_01k4z8m3v9f0k8xqj7t2w5n6cd",
    "XRequestId",
  ),
  "X-Service-Version": text("Release of the service.", "1.2.0", "XServiceVersion"),
};
const rateLimitHeaders = {
  "RateLimit-Limit": whole("Requests a minute that the key may make.", 60, "RateLimitLimit"),
  "RateLimit-Remaining": whole("Requests left in this window.", 59, "RateLimitRemaining"),
  "RateLimit-Reset": whole("Seconds until the window ends.", 42, "RateLimitReset"),
  "RateLimit-Policy": text("Limit and window.", "60;w=60", "RateLimitPolicy"),
};
const retryAfter = { "Retry-After": whole("Seconds to wait before the next try.", 42, "RetryAfter") };
const replayed = {
  "Idempotency-Replayed": z
    .literal("true")
    .optional()
    .meta({
      description: "Present when this is the stored response to an earlier request with the same Idempotency-Key.",
      header: { id: "IdempotencyReplayed" },
    }),
};
const etagged = "ETag";

/** The codes an operation can answer: those that follow from access and method, and its own. */
function errorCodesOf(operation: Operation): ErrorCode[] {
  const { access } = operation;
  const isWrite = operation.method !== "get";
  const following: ErrorCode[] = [
    "invalid_query",
    ...(isWrite ? (["invalid_body", "request_timeout", "body_too_large", "unsupported_media_type"] as const) : []),
    ...(isWrite && access.kind !== "public" ? (["idempotency_conflict", "idempotency_in_progress"] as const) : []),
    ...(access.kind === "public" ? [] : (["invalid_api_key"] as const)),
    ...(access.kind === "key"
      ? (["quota_exceeded", "api_not_enabled", "insufficient_scope", "rate_limit_exceeded"] as const)
      : []),
    ...(access.kind === "key" && (access.proPlus || access.commercialWhen)
      ? (["recommendations_not_enabled"] as const)
      : []),
    "internal_error",
  ];
  return [...new Set([...following, ...operation.errors])];
}

function bareBodiesOf({ access, bareBodies }: Operation): Operation["bareBodies"] {
  const isFeatured = access.kind === "key" && access.featureOf !== undefined;
  return { ...(isFeatured && { 403: upgradeRequiredBody }), ...bareBodies };
}

/** Every response of an operation, successes and failures, with bodies and headers. */
export function responsesOf(operation: Operation, publicUrl: string): ZodOpenApiResponsesObject {
  const responses: Record<string, ZodOpenApiResponseObject> = {};
  for (const [status, spec] of Object.entries(operation.responses)) {
    responses[status] = success(operation, spec);
    if (spec.headers !== undefined && etagged in spec.headers) {
      responses["304"] = {
        description: "Not modified since the response with the `ETag` in `If-None-Match`.",
        headers: z.object({ ...headersOf(operation, 304), ...spec.headers }),
      };
    }
  }
  const byStatus = Map.groupBy(errorCodesOf(operation), (code): number => errorCatalog[code].status);
  const bareBodies = bareBodiesOf(operation);
  for (const status of Object.keys(bareBodies).map(Number)) if (!byStatus.has(status)) byStatus.set(status, []);
  for (const [status, codes] of byStatus)
    responses[status] = failure(operation, status, codes, bareBodies[status], publicUrl);
  return responses;
}

function success(operation: Operation, spec: ResponseSpec): ZodOpenApiResponseObject {
  const content = Object.entries({ ...(spec.json && { "application/json": spec.json }), ...spec.texts });
  return {
    description: spec.description,
    headers: z.object({
      ...headersOf(operation, 200),
      ...(operation.method === "get" ? {} : replayed),
      ...spec.headers,
    }),
    content: Object.fromEntries(content.map(([mediaType, schema]) => [mediaType, { schema }])),
  };
}

function failure(
  operation: Operation,
  status: number,
  codes: readonly ErrorCode[],
  bare: z.ZodType | undefined,
  publicUrl: string,
): ZodOpenApiResponseObject {
  const schema = bare === undefined ? errorSchema : codes.length === 0 ? bare : z.union([errorSchema, bare]);
  const named = codes.map((code) => `\`${code}\`: ${errorCatalog[code].cause}`);
  return {
    description: [...named, ...(bare === undefined ? [] : [bare.meta()?.description ?? "A bare body."])].join("\n\n"),
    headers: z.object(headersOf(operation, status)),
    content: { "application/json": { schema, ...(codes.length > 0 && { examples: errorExamples(codes, publicUrl) }) } },
  };
}

function headersOf(operation: Operation, status: number): Record<string, z.ZodType> {
  // After a valid key every answer counts down the limit; before it, and for its absence (401), none does.
  const isCounted = operation.access.kind === "key" && status !== 401;
  const waits =
    status === 429
      ? retryAfter
      : status === 409 && operation.method !== "get"
        ? {
            "Retry-After": z
              .int()
              .min(0)
              .optional()
              .meta({ description: "Seconds to wait, of `idempotency_in_progress`.", example: 1 }),
          }
        : {};
  return { ...everyHeader, ...(isCounted ? rateLimitHeaders : {}), ...waits };
}
