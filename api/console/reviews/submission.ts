import type { VNode } from "preact";
import type { Feedback } from "../../../database/feedback.ts";
import type { Reputation } from "../../../database/reviewQueue.ts";
import { feedbackReviewWorkflowId } from "../../../domain/review/carrying.ts";
import { ago } from "../components/moment.ts";
import { inWords } from "../components/status.ts";
import { html } from "../html.ts";
import { reviewStatus } from "./tones.ts";

/** Who submitted what, and how their corrections fared so far. */
export function submission(feedback: Feedback, reputation: Reputation, now: Date): VNode {
  const { accountId, keyId } = feedback;
  return html`
    <dl class="facts">
      <dt>Status</dt>
      <dd>${reviewStatus(feedback.status)}</dd>
      <dt>About</dt>
      <dd>${inWords(feedback.type)} <code class="long">${JSON.stringify(feedback.query)}</code></dd>
      <dt>Submitted</dt>
      <dd>
        ${ago(feedback.createdAt, now)} by <a class="id" href=${others("account", accountId)}>${accountId}</a> with
        ${" "}<a class="id" href=${others("key", keyId)}>${keyId}</a>
      </dd>
      <dt>Reputation</dt>
      <dd>
        ${reputation.submitted} submitted: ${reputation.accepted} accepted, ${reputation.rejected} rejected,
        ${" "}${reputation.reverted} reverted
      </dd>
      ${
        feedback.notes === null
          ? null
          : html`<dt>Notes</dt>
              <dd class="long">${feedback.notes}</dd>`
      }
      <dt>Workflow</dt>
      <dd class="id">${feedbackReviewWorkflowId(feedback.feedbackId)}</dd>
    </dl>
  `;
}

function others(name: "account" | "key", id: string): string {
  return `/console/reviews?${new URLSearchParams({ status: "any", [name]: id })}`;
}
