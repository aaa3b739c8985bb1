import { z } from "zod";
import "zod-openapi";
import { isVideoId } from "../../domain/videoId.ts";

/** Written out, since not every reader of the document knows the classes of Unicode. */
// oxlint-disable-next-line eslint/no-control-regex -- they are what it is about
export const noControlCharacters = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/** A whole number in a query, written in decimal digits. */
export function integerParameter(range: { min: number; max: number; default?: number; description: string }) {
  const fix = `must be a whole number from ${range.min} to ${range.max}`;
  const text = z.string().regex(/^-?\d{1,15}$/, fix);
  return (range.default === undefined ? text : text.prefault(String(range.default)))
    .transform(Number)
    .refine((value) => value >= range.min && value <= range.max, fix)
    .meta({
      description: range.description,
      override: documented({
        type: "integer",
        minimum: range.min,
        maximum: range.max,
        ...(range.default !== undefined && { default: range.default }),
      }),
    });
}

/** A decimal number in a query, without an exponent. */
export function numberParameter(range: { min: number; max: number }) {
  const fix = `must be a number from ${range.min} to ${range.max}`;
  return z
    .string()
    .regex(/^-?\d{1,15}(\.\d{1,15})?$/, fix)
    .transform(Number)
    .refine((value) => value >= range.min && value <= range.max, fix)
    .meta({ override: documented({ type: "number", minimum: range.min, maximum: range.max }) });
}

/** `true` or `false` in a query. */
export function booleanParameter(options: { default?: boolean; description: string }) {
  const text = z.enum(["true", "false"], "must be true or false");
  return (options.default === undefined ? text : text.prefault(options.default ? "true" : "false"))
    .transform((value) => value === "true")
    .meta({
      description: options.description,
      override: documented({ type: "boolean", ...(options.default !== undefined && { default: options.default }) }),
    });
}

/** What the document says in place of the text form that the wire has. */
function documented(schema: Record<string, unknown>) {
  return ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
    for (const key of ["type", "pattern", "enum", "default", "anyOf", "allOf"]) delete jsonSchema[key];
    Object.assign(jsonSchema, schema);
  };
}

/** A video id, in a path or a body; anything else is 400 `invalid_video_id`. */
export const videoIdParameter = z
  .string()
  .refine(isVideoId, {
    message: "must be the 11-character id of a video, not a URL or a slug",
    params: { code: "invalid_video_id" },
  })
  .meta({
    description: "11-character id of the video on the video platform.",
    example: "dQw4w9WgXcQ",
    override: { pattern: "^[A-Za-z0-9_-]{11}$" },
  });
