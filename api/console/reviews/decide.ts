import type { VNode } from "preact";
import type { Correction, Feedback } from "../../../database/feedback.ts";
import { maxNoteLength, type ReviewVerb } from "../../../domain/review/states.ts";
import type { ConsoleSession } from "../../../services/console/sessions.ts";
import { postForm } from "../components/postForm.ts";
import { inWords } from "../components/status.ts";
import { html } from "../html.ts";
import { actionButton } from "./actions.ts";
import { movedBy } from "./possible.ts";

const asked = [
  "accept",
  "reject",
  "request_information",
  "supply_information",
] as const satisfies readonly ReviewVerb[];

/** What can be done with a feedback now: decide on those of its corrections that wait, and look at what applying or reverting changes. */
export function decide(session: ConsoleSession, feedback: Feedback, draftNote: string): VNode {
  const { feedbackId, corrections } = feedback;
  const path = `/console/reviews/${feedbackId}`;
  const verbs = asked.filter((verb) => movedBy(corrections, verb).length > 0);
  const waiting = corrections.filter((each) => verbs.some((verb) => movedBy([each], verb).length > 0));
  const canApply = movedBy(corrections, "apply").length > 0;
  const canRevert = movedBy(corrections, "revert").length > 0;
  return html`
    <section class="card" aria-labelledby="decide">
      <h2 id="decide">Decide</h2>
      ${verbs.length === 0 && !canApply && !canRevert ? html`<p class="faint">There is nothing left to decide.</p>` : null}
      ${
        verbs.length === 0
          ? null
          : postForm(
              session,
              `${path}/steps`,
              html`
                ${chosen(waiting)}
                <p class="field">
                  <label for="note">Note for the submitter</label>
                  <textarea id="note" name="note" maxlength=${maxNoteLength} rows="2">${draftNote}</textarea>
                </p>
                <p class="actions">${verbs.map(actionButton)}</p>
              `,
            )
      }
      <p class="actions">
        ${
          canApply || verbs.length > 0
            ? html`<a class="button" href=${`${path}/preview?action=apply`} data-key="p">Preview applying</a>`
            : null
        }
        ${canApply ? html`<a class="button primary" href=${`${path}/preview?action=apply`} data-key="y">Apply…</a>` : null}
        ${canRevert ? html`<a class="button danger" href=${`${path}/preview?action=revert`} data-key="u">Revert…</a>` : null}
        <a class="button" href=${`/console/reviews/next?after=${feedbackId}`} data-key="n">Next open review</a>
        <a class="button" href="/console/reviews" data-key="b">Back to the list</a>
      </p>
    </section>
  `;
}

/** Which corrections a form is for. One needs no choice. */
export function chosen(corrections: readonly Correction[]): VNode {
  const [first] = corrections;
  if (corrections.length === 1 && first !== undefined)
    return html`<input type="hidden" name="correction" value=${first.correctionId} />`;
  return html`
    <fieldset>
      <legend>Corrections</legend>
      ${corrections.map(
        ({ correctionId, issueType, itemId }) => html`
          <label>
            <input type="checkbox" name="correction" value=${correctionId} checked />
            ${" "}${correctionId}: ${inWords(issueType)} ${itemId}
          </label>
          ${" "}
        `,
      )}
    </fieldset>
  `;
}
