import { z } from "zod";
import { scopes, tiers } from "../../../domain/plans.ts";

/** The account behind a key (specification, "Authentication"). */
export const me = z
  .object({
    user_id: z.string().meta({ description: "The account.", example: "usr_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
    tier: z.enum(tiers).meta({ description: "Its plan." }),
    scopes: z.array(z.enum(scopes)).meta({ description: "Of this key." }),
    rate_limit: z.int().meta({ description: "Requests a minute of this key.", example: 60 }),
    recommendations_api_enabled: z
      .boolean()
      .meta({ description: "Whether the tier includes commercial data, whatever the scopes." }),
    usage: z
      .object({
        rows_used: z.int().meta({ description: "Of this UTC month, held ones included." }),
        rows_remaining: z.int().meta({ description: "Of the monthly pool; never negative." }),
        monthly_rows: z.int().meta({ description: "Size of the monthly pool." }),
        current_spend_cents: z
          .number()
          .meta({ description: "On-demand rows of this UTC month, in US cents with tenths." }),
      })
      .meta({ description: "Rows and money of this UTC month." }),
  })
  .meta({
    id: "Me",
    example: {
      user_id: "usr_01k4z8m3v9f0k8xqj7t2w5n6cd",
      tier: "pro",
      scopes: ["read", "trackers:write"],
      rate_limit: 60,
      recommendations_api_enabled: false,
      usage: { rows_used: 1200, rows_remaining: 8800, monthly_rows: 10_000, current_spend_cents: 0 },
    },
  });
