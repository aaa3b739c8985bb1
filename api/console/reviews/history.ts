import type { VNode } from "preact";
import type { TakenReviewCommand } from "../../../database/reviewCommands.ts";
import type { ReviewVerb } from "../../../domain/review/states.ts";
import type { ConsoleSession } from "../../../services/console/sessions.ts";
import { at } from "../components/moment.ts";
import { html } from "../html.ts";

const done: Record<ReviewVerb, string> = {
  accept: "Accepted",
  accept_with_changes: "Accepted with changes",
  reject: "Rejected",
  request_information: "Information requested",
  supply_information: "Information supplied",
  withdraw: "Withdrawn",
  apply: "Applied",
  revert: "Reverted",
};
const tried: Record<ReviewVerb, string> = {
  accept: "Could not be accepted",
  accept_with_changes: "Could not be accepted with changes",
  reject: "Could not be rejected",
  request_information: "Information could not be requested",
  supply_information: "Information could not be supplied",
  withdraw: "Could not be withdrawn",
  apply: "Could not be applied",
  revert: "Could not be reverted",
};

/** What was done with a feedback, in order. */
export function history(commands: readonly TakenReviewCommand[], session: ConsoleSession): VNode {
  if (commands.length === 0) return html`<p class="faint">Nothing was done with it yet.</p>`;
  return html`<ol class="timeline">
    ${commands.map((command) => step(command, session))}
  </ol>`;
}

function step(
  { verb, outcome, actor, actorName, requestedAt, movedIds, refusal, note, change }: TakenReviewCommand,
  session: ConsoleSession,
): VNode {
  const what = outcome === "refused" ? tried[verb] : outcome === null ? `${done[verb]} (under way)` : done[verb];
  const known = actorName === null ? actor : html`${actorName} (<span class="id">${actor}</span>)`;
  const who = actor === session.keyId ? `you (${session.keyName})` : known;
  const which = movedIds.length === 0 ? "" : ` · correction${movedIds.length > 1 ? "s" : ""} ${movedIds.join(", ")}`;
  return html`
    <li>
      <strong>${what}</strong> <span class="faint">${at(requestedAt)} by ${who}${which}</span>
      ${refusal === null ? null : html`<p class="long">${refusal}</p>`}
      ${note === null ? null : html`<p class="long">“${note}”</p>`}
      ${change === null ? null : html`<p><code class="long">${JSON.stringify(change)}</code></p>`}
    </li>
  `;
}
