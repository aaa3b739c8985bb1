import type { VNode } from "preact";
import type { ConsoleSession } from "../../../services/console/sessions.ts";
import { html } from "../html.ts";

/** A form that changes something; it carries the token that the console takes its own forms by. */
export function postForm(session: ConsoleSession, action: string, content: VNode, className?: string): VNode {
  return html`
    <form method="post" action=${action} class=${className}>
      <input type="hidden" name="csrf" value=${session.csrfToken} />
      ${content}
    </form>
  `;
}
