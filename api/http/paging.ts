import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { ApiError } from "../../domain/errors.ts";
import { integerParameter } from "./parameters.ts";

/** The page parameters of every list (specification, "Limits"). */
export const pageParameters = {
  limit: integerParameter({ min: 1, max: 100, default: 20, description: "Most rows in the answer." }),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, "must be `next_cursor` as it was given")
    .max(512)
    .optional()
    .meta({ description: "`next_cursor` of the page before; the other parameters must stay as they were." }),
};

/** The list envelope. */
export function listOf<T extends z.ZodType>(row: T) {
  return z.object({
    data: z.array(row).meta({ description: "The rows of this page." }),
    has_more: z.boolean().meta({ description: "Whether more rows exist after these." }),
    next_cursor: z.string().nullable().meta({ description: "Pass as `cursor` for the next page; null on the last." }),
  });
}

/** The query that a cursor belongs to: operation, account and every parameter but the page's own. */
type CursorBinding = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Opaque, signed page positions (decisions.md "Pagination"). */
export interface Cursors {
  /** A cursor for the rows after `position` of the query `binding`. */
  seal(binding: CursorBinding, position: readonly (string | number)[]): string;
  /** The position in a cursor, as the schema reads it; null where there is no cursor. Throws `invalid_query` for an altered or foreign one. */
  open<S extends z.ZodType>(binding: CursorBinding, cursor: string | undefined, position: S): z.output<S> | null;
}

const macBytes = 16;

export function createCursors(secret: string): Cursors {
  function sign(binding: CursorBinding, payload: string): Buffer {
    const bound = Object.entries(binding)
      .filter(([, value]) => value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    return createHmac("sha256", secret)
      .update(JSON.stringify([bound, payload]))
      .digest()
      .subarray(0, macBytes);
  }

  return {
    seal(binding, position) {
      const payload = JSON.stringify(position);
      return Buffer.concat([sign(binding, payload), Buffer.from(payload)]).toString("base64url");
    },
    open(binding, cursor, position) {
      if (cursor === undefined) return null;
      const bytes = Buffer.from(cursor, "base64url");
      const payload = bytes.subarray(macBytes).toString();
      const isOurs =
        bytes.length > macBytes &&
        bytes.toString("base64url") === cursor &&
        timingSafeEqual(bytes.subarray(0, macBytes), sign(binding, payload));
      const parsed = isOurs ? position.safeParse(JSON.parse(payload)) : null;
      if (!parsed?.success) {
        throw new ApiError(
          "invalid_query",
          "The query parameter `cursor` does not belong to this query; pass `next_cursor` as it was given, with the same other parameters.",
        );
      }
      return parsed.data;
    },
  };
}
