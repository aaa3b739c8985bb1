import { z } from "zod";
import { ApiError, type ErrorCode } from "../../domain/errors.ts";
import { readJson } from "../../domain/json.ts";
import { printable } from "../../domain/printable.ts";
import { readQuery } from "./queryString.ts";

/** Path parameters as the router decoded them. Like bodies they hold no NUL, which Postgres has no place for. */
export function parsePath<S extends z.ZodType>(
  schema: S,
  params: Readonly<Record<string, string | string[] | undefined>>,
): z.output<S> {
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw refusal("invalid_query", "path parameter", parsed.error, schema);
  if (Object.values(params).some((value) => value?.includes("\0")))
    throw new ApiError("invalid_query", "The path holds a NUL character; remove it.");
  return parsed.data;
}

export function parseQuery<S extends z.ZodType>(schema: S, queryString: string): z.output<S> {
  const parsed = schema.safeParse(readQuery(queryString));
  if (!parsed.success) throw refusal("invalid_query", "query parameter", parsed.error, schema);
  return parsed.data;
}

/** `misfit`: the code for fields that do not fit; of unknown fields and broken JSON it is `invalid_body`, whatever the operation. */
export function parseBody<S extends z.ZodType>(
  schema: S,
  body: Buffer,
  misfit: ErrorCode = "invalid_body",
): z.output<S> {
  const value = body.length === 0 ? undefined : readJson(body);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (value === undefined)
    throw new ApiError(
      "invalid_body",
      "The request has no body; send a JSON object with `Content-Type: application/json`.",
    );
  throw refusal(parsed.error.issues.every(isMisfit) ? misfit : "invalid_body", "body field", parsed.error, schema);
}

function isMisfit({ code, path }: z.core.$ZodIssue): boolean {
  return code !== "unrecognized_keys" && path.length > 0;
}

const shownIssues = 5;

/** A schema's own code (`params.code` of a refinement) wins over the general one: `invalid_video_id` over `invalid_query`. */
function refusal(general: ErrorCode, place: string, error: z.ZodError, schema: z.ZodType): ApiError {
  const named = error.issues.find((issue) => issue.code === "custom" && issue.params !== undefined);
  const code = named?.code === "custom" && named.params?.["code"] === "invalid_video_id" ? "invalid_video_id" : general;
  const sentences = error.issues.slice(0, shownIssues).map((issue) => describeIssue(issue, place, schema));
  return new ApiError(code, sentences.join(" "));
}

function describeIssue(issue: z.core.$ZodIssue, place: string, schema: z.ZodType): string {
  const at = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const unknown = issue.keys.map((key) => quoted(at === "" ? key : `${at}.${key}`)).join(", ");
    const known = issue.path.length === 0 && schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    const hint =
      known.length > 0
        ? `Known here: ${known.map(quoted).join(", ")}.`
        : issue.path.length === 0
          ? "None is taken here."
          : "Remove it.";
    return `Unknown ${place} ${unknown}. ${hint}`;
  }
  const subject = at === "" ? `The ${place === "body field" ? "body" : place}` : `The ${place} ${quoted(at)}`;
  if (issue.code === "invalid_type" && issue.input === undefined && issue.message.endsWith("received undefined"))
    return `${subject} is required.`;
  return `${subject} is not valid: ${sentence(issue.message)}`;
}

function sentence(message: string): string {
  const trimmed = message.replace(/^Invalid input: /, "");
  return trimmed.endsWith(".") ? trimmed : `${trimmed}.`;
}

function quoted(name: string): string {
  return `\`${printable(name)}\``;
}
