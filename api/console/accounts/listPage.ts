import { z } from "zod";
import { listAccounts } from "../../../services/operations/listAccounts.ts";
import { filters } from "../components/filters.ts";
import { accountPath, code } from "../components/links.ts";
import { table } from "../components/table.ts";
import { ago } from "../components/moment.ts";
import { nextPage } from "../components/nextPage.ts";
import { status } from "../components/status.ts";
import { cursorField } from "../cursorField.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAnswer, ConsoleAsked } from "../route.ts";

const path = "/console/accounts";
const limit = 50;
const fields = z.strictObject({ q: z.string().trim().max(320).optional(), cursor: cursorField });
const position = z
  .tuple([z.string(), z.string()])
  .transform(([foldedEmail, accountId]) => ({ foldedEmail, accountId }));

/** Accounts: newest first, or those whose address or id begins as asked. */
export async function accountsPage({ context, query, cursors }: ConsoleAsked): Promise<ConsoleAnswer> {
  const { q, cursor } = readFields(fields, query);
  const binding = { operation: "consoleAccounts", q };
  const after = cursors.open(binding, cursor, position);
  const { accounts, hasMore } = await listAccounts(context, q ?? null, { limit, after });
  const last = accounts.at(-1);
  const now = context.clock();
  const content = html`
    ${filters(path, [{ kind: "text", name: "q", label: "E-mail or id", hint: "how it begins", value: q ?? "" }])}
    ${table(
      q === undefined ? "Accounts, newest first" : "Accounts that fit",
      [
        {
          title: "E-mail",
          cell: ({ accountId, email }) => html`<a href=${accountPath(accountId)} data-row>${email}</a>`,
        },
        { title: "Tier", cell: ({ tier }) => tier },
        { title: "API", cell: ({ apiEnabled }) => (apiEnabled ? status("on", "good") : status("off", "bad")) },
        { title: "On demand", cell: ({ onDemand }) => (onDemand ? "on" : "off") },
        { title: "Id", cell: ({ accountId }) => code(accountId) },
        { title: "Made", cell: ({ createdAt }) => ago(createdAt, now) },
      ],
      accounts,
      "No account fits.",
    )}
    ${nextPage(
      path,
      query,
      hasMore && last !== undefined ? cursors.seal(binding, [last.foldedEmail, last.accountId]) : null,
    )}
  `;
  return { page: { title: "Accounts", section: "accounts", content } };
}
