import { createAccount as create } from "../../../services/accounts/createAccount.ts";
import { internalAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { newAccount, shapeAccount, wrappedAccount } from "./schema.ts";

export const createAccount = operation({
  id: "createAccount",
  method: "post",
  path: "/internal/accounts",
  tag: "Accounts",
  summary: "Create an account",
  access: internalAccess,
  params: none,
  query: none,
  body: newAccount,
  responses: { 201: { description: "The account.", json: wrappedAccount } },
  async handle({ context, transaction, body }) {
    const account = await create(
      context,
      {
        email: body.email,
        tier: body.tier,
        monthlyRows: body.monthly_rows ?? undefined,
        onDemand: body.on_demand,
        spendCapCents: body.spend_cap_cents ?? undefined,
      },
      transaction,
    );
    return { status: 201, json: { account: shapeAccount(account) } };
  },
});
