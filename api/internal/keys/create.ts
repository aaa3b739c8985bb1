import { z } from "zod";
import { createKey } from "../../../services/keys/createKey.ts";
import { internalAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { accountId } from "../accounts/schema.ts";
import { createdKey, newKey, shapeKey } from "./schema.ts";

export const createApiKey = operation({
  id: "createApiKey",
  method: "post",
  path: "/internal/accounts/{account_id}/keys",
  tag: "Keys",
  summary: "Give an account a key",
  description: "The secret is in this answer and nowhere else; a replay of the same request is this same answer.",
  access: internalAccess,
  params: z.strictObject({ account_id: accountId }),
  query: none,
  body: newKey,
  answersSecret: true,
  errors: ["account_not_found"],
  responses: { 201: { description: "The key and its secret.", json: createdKey } },
  async handle({ context, transaction, params, body }) {
    const created = await createKey(
      context,
      {
        accountId: params.account_id,
        scopes: body.scopes,
        name: body.name,
        expiresAt: body.expires_at === undefined ? undefined : new Date(body.expires_at),
      },
      transaction,
    );
    return { status: 201, json: { key: created.key, api_key: shapeKey(created.record, context.clock()) } };
  },
});
