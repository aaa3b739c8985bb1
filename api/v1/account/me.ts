import { isProPlus } from "../../../domain/plans.ts";
import { usageOf } from "../../../domain/usage.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { me } from "./schema.ts";

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
    const usage = usageOf(caller.plan, caller.use, context.settings);
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
