import { z } from "zod";
import "zod-openapi";
import { errorCatalog, type ErrorCode, errorCodes } from "../../domain/errors.ts";
import { errorEnvelope } from "../http/failures.ts";
import { entityReference } from "../v1/evidence/schema.ts";

const errorTypes = [...new Set(errorCodes.map((code) => errorCatalog[code].type))];

/** The envelope of all failures but the bare bodies (specification, "Errors"). */
export const errorSchema = z
  .object({
    error: z
      .object({
        type: z.enum(errorTypes).meta({ description: "Category, roughly the class of the status." }),
        code: z.enum(errorCodes).meta({ description: "Stable for machines: switch on it." }),
        message: z.string().meta({ description: "For people: names what is wrong and how to mend it." }),
        doc_url: z.url().meta({ description: "The section of the error reference on this code." }),
        request_id: z.string().meta({ description: "Equals the header `X-Request-Id`." }),
      })
      .meta({ description: "What went wrong." }),
    existingId: z.string().optional().meta({
      description: "Of `duplicate_tracker`: the tracker that exists.",
      example: "trk_01k4z8m3v9f0k8xqj7t2w5n6cd",
    }),
    candidates: z
      .array(entityReference)
      .optional()
      .meta({ description: "Of `entity_not_found`, where a name was to be watched: the nearest entities." }),
  })
  .meta({ id: "Error", description: "What every failure answers with, but for a few bare bodies that say so." });

/** An example of each code's envelope for a response that can carry any of them. */
export function errorExamples(codes: readonly ErrorCode[], publicUrl: string) {
  const example = (code: ErrorCode) => {
    const { cause, fix } = errorCatalog[code];
    return {
      summary: cause,
      value: errorEnvelope(code, `${cause} ${fix}`, "req_01k4z8m3v9f0k8xqj7t2w5n6cd", publicUrl),
    };
  };
  return Object.fromEntries(codes.map((code) => [code, example(code)]));
}
