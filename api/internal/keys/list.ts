import { z } from "zod";
import { listKeys } from "../../../services/keys/listKeys.ts";
import { internalAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { listOf, pageParameters } from "../../http/paging.ts";
import { accountId } from "../accounts/schema.ts";
import { apiKey, shapeKey } from "./schema.ts";

const position = z.tuple([z.string()]).transform(([beforeId]) => beforeId);

export const listApiKeys = operation({
  id: "listApiKeys",
  method: "get",
  path: "/internal/accounts/{account_id}/keys",
  tag: "Keys",
  summary: "An account's keys, newest first, deleted ones too",
  access: internalAccess,
  params: z.strictObject({ account_id: accountId }),
  query: z.strictObject(pageParameters),
  errors: ["account_not_found"],
  responses: { 200: { description: "A page of keys.", json: listOf(apiKey).meta({ id: "ApiKeyList" }) } },
  async handle({ context, params, query, cursors }) {
    const binding = { operation: "listApiKeys", account: params.account_id };
    const beforeId = cursors.open(binding, query.cursor, position);
    const { keys, hasMore } = await listKeys(context, params.account_id, { limit: query.limit, beforeId });
    const last = keys.at(-1);
    const next_cursor = hasMore && last !== undefined ? cursors.seal(binding, [last.keyId]) : null;
    const now = context.clock();
    return { status: 200, json: { data: keys.map((key) => shapeKey(key, now)), has_more: hasMore, next_cursor } };
  },
});
