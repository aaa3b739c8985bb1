import { z } from "zod";
import { usagePeriod } from "../../../domain/rowPool.ts";
import { listAccountEntries } from "../../../services/operations/readAccountUse.ts";
import { amount } from "../components/amounts.ts";
import { accountPath, code } from "../components/links.ts";
import { table } from "../components/table.ts";
import { at } from "../components/moment.ts";
import { nextPage } from "../components/nextPage.ts";
import { cursorField } from "../cursorField.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAnswer, ConsoleAsked } from "../route.ts";
import { monthField } from "./monthField.ts";

const limit = 100;
const fields = z.strictObject({ month: monthField, cursor: cursorField });
const position = z.tuple([z.string(), z.number()]).transform(([period, beforeId]) => ({ period, beforeId }));

/** An account's ledger of a month, newest first; later pages stay in the month of the first. */
export async function ledgerPage({ context, params, query, cursors }: ConsoleAsked): Promise<ConsoleAnswer> {
  const accountId = params["account_id"] ?? "";
  const { month, cursor } = readFields(fields, query);
  const binding = { operation: "consoleLedger", account: accountId, month };
  const after = cursors.open(binding, cursor, position);
  const period = after?.period ?? month ?? usagePeriod(context.clock());
  const { entries, hasMore } = await listAccountEntries(context, accountId, period, {
    limit,
    beforeId: after?.beforeId ?? null,
  });
  const last = entries.at(-1);
  const next = hasMore && last !== undefined ? cursors.seal(binding, [period, last.entryId]) : null;
  const content = html`
    <p><a href=${accountPath(accountId)} data-key="b">The account</a></p>
    ${table(
      "Ledger entries, newest first",
      [
        { title: "Reason", cell: ({ reason }) => reason },
        { title: "Kind", cell: ({ kind }) => kind },
        { title: "Rows", align: "end", cell: ({ rows }) => amount(rows) },
        { title: "Of them on demand", align: "end", cell: ({ onDemandRows }) => amount(onDemandRows) },
        { title: "For", cell: ({ subject }) => (subject === null ? "–" : code(subject)) },
        { title: "Request", cell: ({ requestId }) => (requestId === null ? "–" : code(requestId)) },
        { title: "At", cell: (entry) => at(entry.at) },
      ],
      entries,
      "Nothing was used in this month.",
    )}
    ${nextPage(`${accountPath(accountId)}/ledger`, query, next)}
  `;
  return { page: { title: `Ledger of ${period.slice(0, 7)}`, section: "accounts", content } };
}
