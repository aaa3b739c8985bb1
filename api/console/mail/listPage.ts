import { z } from "zod";
import { mailPath } from "../components/links.ts";
import { table } from "../components/table.ts";
import { ago } from "../components/moment.ts";
import { nextPage } from "../components/nextPage.ts";
import { cursorField } from "../cursorField.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAnswer, ConsoleAsked } from "../route.ts";
import { requireInbox } from "./requireInbox.ts";

const path = "/console/mail";
const limit = 50;
const fields = z.strictObject({ cursor: cursorField });
const position = z.tuple([z.number(), z.string()]).transform(([at, name]) => ({ receivedAt: new Date(at), name }));

/** What this installation has mailed into its own inbox, newest first. */
export async function mailsPage({ context, inbox, query, cursors }: ConsoleAsked): Promise<ConsoleAnswer> {
  const { cursor } = readFields(fields, query);
  const binding = { operation: "consoleMails" };
  const after = cursors.open(binding, cursor, position);
  const { mails, hasMore } = await requireInbox(inbox).list({ limit, after });
  const last = mails.at(-1);
  const now = context.clock();
  const content = html`
    <p>There is no mail server (<code>SMTP_URL</code>), so mails stay here.</p>
    ${table(
      "Mails, newest first",
      [
        {
          title: "Subject",
          cell: ({ name, subject }) => html`<a href=${mailPath(name)} data-row>${subject || "(none)"}</a>`,
        },
        { title: "To", cell: ({ to }) => to },
        { title: "Sent", cell: ({ receivedAt }) => ago(receivedAt, now) },
      ],
      mails,
      "Nothing was mailed yet.",
    )}
    ${nextPage(
      path,
      query,
      hasMore && last !== undefined ? cursors.seal(binding, [last.receivedAt.getTime(), last.name]) : null,
    )}
  `;
  return { page: { title: "Mail", section: "mail", content } };
}
