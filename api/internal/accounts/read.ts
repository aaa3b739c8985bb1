import { z } from "zod";
import { readAccount } from "../../../services/accounts/readAccount.ts";
import { internalAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { accountId, shapeAccount, wrappedAccount } from "./schema.ts";

export const getAccount = operation({
  id: "getAccount",
  method: "get",
  path: "/internal/accounts/{account_id}",
  tag: "Accounts",
  summary: "Read an account",
  access: internalAccess,
  params: z.strictObject({ account_id: accountId }),
  query: none,
  errors: ["account_not_found"],
  responses: { 200: { description: "The account.", json: wrappedAccount } },
  async handle({ context, params }) {
    return { status: 200, json: { account: shapeAccount(await readAccount(context, params.account_id)) } };
  },
});
