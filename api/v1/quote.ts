import { z } from "zod";

/** What a purchase would cost, and what is left to pay with (decisions.md "Transcripts"). */
export const quote = z
  .object({
    rows: z.int().meta({ description: "Price.", example: 300 }),
    blocks: z.int().meta({ description: "Started blocks of 15 minutes; one while the length is unknown.", example: 3 }),
    rowsPerBlock: z.int().meta({ description: "Price of a block.", example: 100 }),
    durationSeconds: z
      .number()
      .nullable()
      .meta({ description: "Length of the video; null while it is unknown.", example: 2520 }),
    rowsRemaining: z.int().meta({ description: "Left in the pool.", example: 9200 }),
  })
  .meta({ id: "Quote" });

export const insufficientRowsBody = z
  .object({ error: z.literal("insufficient_rows").meta({ description: "Always this." }), quote })
  .meta({ id: "InsufficientRows", description: "A bare body: the pool has rows left, but not as many as this costs." });
