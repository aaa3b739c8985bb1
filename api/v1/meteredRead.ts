import { z } from "zod";
import type { RowQuote } from "../../services/usage/rowQuote.ts";
import { booleanParameter } from "../http/parameters.ts";

/** Taken by every metered GET (decisions.md "dry_run"). */
export const dryRun = booleanParameter({
  default: false,
  description: "true: answer what the call would cost and return in number, for 0 rows.",
});

export const dryRunBody = z
  .object({
    quote: z.object({
      rows: z.int().meta({ description: "Price in rows.", example: 1 }),
      count: z.int().meta({ description: "How many rows the call would return.", example: 1 }),
      rows_remaining: z.int().meta({ description: "Left in the pool.", example: 9200 }),
    }),
  })
  .meta({ id: "DryRun", description: "The answer to `dry_run=true`; nothing was charged." });

export function shapeDryRun({ rows, count, rowsRemaining }: RowQuote): z.input<typeof dryRunBody> {
  return { quote: { rows, count, rows_remaining: rowsRemaining } };
}
