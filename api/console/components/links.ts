import type { VNode } from "preact";
import { html } from "../html.ts";

const pathOf = (section: string, id: string) => `/console/${section}/${encodeURIComponent(id)}`;

export const jobPath = (jobId: string) => pathOf("jobs", jobId);
export const monitorPath = (monitorId: string) => pathOf("monitors", monitorId);
export const accountPath = (accountId: string) => pathOf("accounts", accountId);
export const mailPath = (name: string) => pathOf("mail", name);

/** An account by its address, which leads to its page. */
export function accountLink({ accountId, accountEmail }: { accountId: string; accountEmail: string }): VNode {
  return html`<a href=${accountPath(accountId)} title=${accountId}>${accountEmail}</a>`;
}

/** Something that is copied elsewhere, such as an id. */
export function code(text: string): VNode {
  return html`<code>${text}</code>`;
}
