import { z } from "zod";
import type { Account } from "../../../database/accounts.ts";
import { tiers } from "../../../domain/plans.ts";
import { listOf } from "../../http/paging.ts";
import { idParameter } from "../ids.ts";

const monthlyRows = z
  .int()
  .min(0)
  .nullable()
  .meta({ description: "Rows a month; null: as many as the tier has.", example: 20_000 });
const spendCapCents = z
  .int()
  .min(0)
  .max(2_147_483_647)
  .nullable()
  .meta({ description: "Most US cents a month for rows past the pool; null: no cap." });
const tier = z.enum(tiers);
const onDemand = z.boolean().meta({ description: "Whether calls go on past the pool, at a price a row." });
const apiEnabled = z.boolean().meta({ description: "false: every call of its keys is `api_not_enabled`." });

export const accountId = idParameter("Id of the account.", "usr_01k4z8m3v9f0k8xqj7t2w5n6cd");

export const account = z
  .object({
    account_id: z.string().meta({ example: "usr_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
    email: z.string(),
    tier,
    api_enabled: apiEnabled,
    monthly_rows: monthlyRows,
    on_demand: onDemand,
    spend_cap_cents: spendCapCents,
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Account" });
export const wrappedAccount = z.object({ account });

export const newAccount = z
  .strictObject({
    email: z
      .string()
      .max(254)
      .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, "must be an e-mail address")
      .meta({ example: "owner@example.com" }),
    tier,
    monthly_rows: monthlyRows.optional(),
    on_demand: onDemand.optional(),
    spend_cap_cents: spendCapCents.optional(),
  })
  .meta({ id: "NewAccount" });

export const accountChange = z
  .strictObject({
    tier: tier.optional(),
    api_enabled: apiEnabled.optional(),
    monthly_rows: monthlyRows.optional(),
    on_demand: onDemand.optional(),
    spend_cap_cents: spendCapCents.optional(),
  })
  .meta({ id: "AccountChange", description: "What is left out stays as it is." });

export const usage = z
  .object({
    period: z.string().meta({ description: "The UTC month.", example: "2026-11" }),
    rows_used: z.int(),
    rows_remaining: z.int().meta({ description: "Of the monthly pool; never negative." }),
    monthly_rows: z.int(),
    current_spend_cents: z.number().meta({ description: "Rows past the pool, in US cents with tenths." }),
  })
  .meta({ id: "Usage" });

export const ledger = listOf(
  z.object({
    at: z.iso.datetime(),
    rows: z.int().meta({ description: "Below zero: given back." }),
    reason: z.string(),
    request_id: z.string().nullable(),
  }),
).meta({
  id: "Ledger",
  description: "With `ledger=true`: entries of the month, oldest first; their rows sum to the use.",
});

export function shapeAccount(record: Account): z.input<typeof account> {
  return {
    account_id: record.accountId,
    email: record.email,
    tier: record.tier,
    api_enabled: record.apiEnabled,
    monthly_rows: record.monthlyRows,
    on_demand: record.onDemand,
    spend_cap_cents: record.spendCapCents,
    created_at: record.createdAt.toISOString(),
  };
}
