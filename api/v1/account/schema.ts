import { z } from "zod";
import { scopes, tiers } from "../../../domain/plans.ts";

/** The account behind a key (specification, "Authentication"). */
export const me = z
  .object({
    user_id: z.string().meta({ example: "usr_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
    tier: z.enum(tiers),
    scopes: z.array(z.enum(scopes)).meta({ description: "Of this key." }),
    rate_limit: z.int().meta({ description: "Requests a minute of this key.", example: 60 }),
    recommendations_api_enabled: z
      .boolean()
      .meta({ description: "Whether the tier includes commercial data, whatever the scopes." }),
    usage: z.object({
      rows_used: z.int(),
      rows_remaining: z.int().meta({ description: "Of the monthly pool; never negative." }),
      monthly_rows: z.int(),
      current_spend_cents: z
        .number()
        .meta({ description: "On-demand rows of this UTC month, in US cents with tenths." }),
    }),
  })
  .meta({ id: "Me" });
