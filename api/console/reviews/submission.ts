import type { VNode } from "preact";
import type { Feedback } from "../../../database/feedback.ts";
import type { Reputation } from "../../../database/reviewQueue.ts";
import { feedbackReviewWorkflowId } from "../../../domain/review/carrying.ts";
import { facts } from "../components/facts.ts";
import { accountPath } from "../components/links.ts";
import { ago } from "../components/moment.ts";
import { inWords } from "../components/status.ts";
import { html } from "../html.ts";
import { reviewStatus } from "./tones.ts";

/** Who submitted what, and how their corrections fared so far. */
export function submission(feedback: Feedback, reputation: Reputation, now: Date): VNode {
  const { accountId, keyId } = feedback;
  const { submitted, accepted, rejected, reverted } = reputation;
  return facts([
    ["Status", reviewStatus(feedback.status)],
    ["About", html`${inWords(feedback.type)} <code class="long">${JSON.stringify(feedback.query)}</code>`],
    [
      "Submitted",
      html`
        ${ago(feedback.createdAt, now)} by <a class="id" href=${accountPath(accountId)}>${accountId}</a> ${" "}(<a
          href=${others("account", accountId)}
          >all of the account</a
        >) with <span class="id">${keyId}</span> ${" "}(<a href=${others("key", keyId)}>all of the key</a>)
      `,
    ],
    [
      "Reputation",
      `${submitted} submitted: ${accepted} accepted, ${rejected} rejected, ${reverted} reverted, with this key`,
    ],
    ["Notes", feedback.notes === null ? null : html`<span class="long">${feedback.notes}</span>`],
    ["Workflow", html`<span class="id">${feedbackReviewWorkflowId(feedback.feedbackId)}</span>`],
  ]);
}

function others(name: "account" | "key", id: string): string {
  return `/console/reviews?${new URLSearchParams({ status: "any", [name]: id })}`;
}
