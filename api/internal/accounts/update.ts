import { z } from "zod";
import { updateAccount as update } from "../../../services/accounts/updateAccount.ts";
import { internalAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { accountChange, accountId, shapeAccount, wrappedAccount } from "./schema.ts";

export const updateAccount = operation({
  id: "updateAccount",
  method: "patch",
  path: "/internal/accounts/{account_id}",
  tag: "Accounts",
  summary: "Change an account",
  description:
    "Takes effect with the next request of its keys. Keys keep their scopes; what a lower tier lacks is refused.",
  access: internalAccess,
  params: z.strictObject({ account_id: accountId }),
  query: none,
  body: accountChange,
  errors: ["account_not_found"],
  responses: { 200: { description: "The account as it is now.", json: wrappedAccount } },
  async handle({ context, transaction, params, body }) {
    const change = {
      tier: body.tier,
      apiEnabled: body.api_enabled,
      monthlyRows: body.monthly_rows,
      onDemand: body.on_demand,
      spendCapCents: body.spend_cap_cents,
    };
    const account = await update(context, params.account_id, change, transaction);
    return { status: 200, json: { account: shapeAccount(account) } };
  },
});
