import { z } from "zod";
import type { Fields } from "../../../database/feedback.ts";
import { ApiError } from "../../../domain/errors.ts";
import { readJson } from "../../../domain/json.ts";
import { several } from "../fields.ts";

/** Which corrections a form is for. */
export const correctionNumbers = several(
  z
    .string()
    .regex(/^(0|[1-9]\d{0,14})$/, "must be the number of a correction")
    .transform(Number),
);

const object = z.record(z.string(), z.unknown());

/** The change that a form holds, with the issue that it is resolved as. Throws `invalid_body` for what is no object of JSON, or cannot be kept. */
export function changeOf({
  change = "{}",
  issue_type,
}: {
  change?: string | undefined;
  issue_type?: string | undefined;
}): Fields {
  const fields = object.safeParse(readJson(Buffer.from(change), "What is right instead"));
  if (!fields.success)
    throw new ApiError("invalid_body", 'What is right instead is no object of JSON, such as {"entity_id": "ent_42"}.');
  return issue_type === undefined ? fields.data : { ...fields.data, issue_type };
}
