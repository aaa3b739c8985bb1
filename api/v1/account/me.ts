import { z } from "zod";
import { isProPlus, scopes, tiers } from "../../../domain/plans.ts";
import { usageOf } from "../../../domain/usage.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";

const me = z
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

export const getMe = operation({
  id: "getMe",
  method: "get",
  path: "/v1/me",
  tag: "Account",
  summary: "The account behind the key, and its usage this month",
  access: keyAccess("read"),
  params: none,
  query: none,
  responses: { 200: { description: "The account.", json: me } },
  handle({ caller, context }) {
    const usage = usageOf(caller.plan, caller.rowsUsed, context.settings);
    return {
      status: 200,
      json: {
        user_id: caller.accountId,
        tier: caller.tier,
        scopes: [...caller.scopes],
        rate_limit: context.settings.rateLimitPerMinute[caller.tier],
        recommendations_api_enabled: isProPlus(caller.tier),
        usage: {
          rows_used: usage.rowsUsed,
          rows_remaining: usage.rowsRemaining,
          monthly_rows: usage.monthlyRows,
          current_spend_cents: usage.currentSpendCents,
        },
      },
    };
  },
});
