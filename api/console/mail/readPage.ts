import { ApiError } from "../../../domain/errors.ts";
import { facts } from "../components/facts.ts";
import { at } from "../components/moment.ts";
import { html } from "../html.ts";
import type { ConsoleAnswer, ConsoleAsked } from "../route.ts";
import { requireInbox } from "./requireInbox.ts";

/** A mail as its plain text: what its HTML would do in a page is nobody's to decide but the page's own. */
export async function mailPage({ inbox, params }: ConsoleAsked): Promise<ConsoleAnswer> {
  const mail = await requireInbox(inbox).read(params["name"] ?? "");
  if (mail === null) throw new ApiError("not_found", "There is no such mail.");
  const content = html`
    <p><a href="/console/mail" data-key="b">All mail</a></p>
    ${facts([
      ["From", mail.from],
      ["To", mail.to],
      ["Sent", at(mail.receivedAt)],
    ])}
    ${mail.text === null ? html`<p class="empty">It has no plain text.</p>` : html`<pre class="mail">${mail.text}</pre>`}
  `;
  return { page: { title: mail.subject || "(no subject)", section: "mail", content } };
}
