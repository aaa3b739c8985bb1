import { z } from "zod";
import { listKeys } from "../../../services/keys/listKeys.ts";
import { accountPath } from "../components/links.ts";
import { nextPage } from "../components/nextPage.ts";
import { cursorField } from "../cursorField.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAnswer, ConsoleAsked } from "../route.ts";
import { keyTable } from "./keyTable.ts";

const limit = 50;
const fields = z.strictObject({ cursor: cursorField });
const position = z.tuple([z.string()]).transform(([beforeId]) => beforeId);

/** All keys of an account, newest first. */
export async function keysPage({ context, params, query, cursors }: ConsoleAsked): Promise<ConsoleAnswer> {
  const accountId = params["account_id"] ?? "";
  const { cursor } = readFields(fields, query);
  const binding = { operation: "consoleKeys", account: accountId };
  const beforeId = cursors.open(binding, cursor, position);
  const { keys, hasMore } = await listKeys(context, accountId, { limit, beforeId });
  const last = keys.at(-1);
  const next = hasMore && last !== undefined ? cursors.seal(binding, [last.keyId]) : null;
  const content = html`
    <p><a href=${accountPath(accountId)} data-key="b">The account</a></p>
    ${keyTable(keys, context.clock())} ${nextPage(`${accountPath(accountId)}/keys`, query, next)}
  `;
  return { page: { title: "Keys of an account", section: "accounts", content } };
}
