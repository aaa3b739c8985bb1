import { z } from "zod";
import { readLedgerPage } from "../../../services/usage/readLedgerPage.ts";
import { readUsage } from "../../../services/usage/readUsage.ts";
import { internalAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { pageParameters } from "../../http/paging.ts";
import { booleanParameter } from "../../http/parameters.ts";
import { accountId, ledger, usage } from "./schema.ts";

const position = z.tuple([z.string(), z.number()]).transform(([period, entryId]) => ({ period, entryId }));

export const getUsage = operation({
  id: "getAccountUsage",
  method: "get",
  path: "/internal/accounts/{account_id}/usage",
  tag: "Accounts",
  summary: "What an account has used this month",
  description: "With `ledger=true` the entries behind it, as a list; `limit` and `cursor` are for that list only.",
  access: internalAccess,
  params: z.strictObject({ account_id: accountId }),
  query: z.strictObject({
    ledger: booleanParameter({ default: false, description: "true: list the month's entries instead." }),
    ...pageParameters,
  }),
  errors: ["account_not_found"],
  responses: { 200: { description: "The use, or a page of entries.", json: z.union([usage, ledger]) } },
  async handle({ context, params, query, cursors }) {
    if (!query.ledger) return { status: 200, json: await readUsage(context, params.account_id) };
    const binding = { operation: "getAccountUsage", account: params.account_id };
    const after = cursors.open(binding, query.cursor, position);
    const { lines, next } = await readLedgerPage(context, params.account_id, { limit: query.limit, after });
    const json = {
      data: lines.map(({ at, rows, reason, request_id }) => ({ at: at.toISOString(), rows, reason, request_id })),
      has_more: next !== null,
      next_cursor: next === null ? null : cursors.seal(binding, [next.period, next.entryId]),
    };
    return { status: 200, json };
  },
});
