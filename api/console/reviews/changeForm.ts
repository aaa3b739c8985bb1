import type { VNode } from "preact";
import type { Correction } from "../../../database/feedback.ts";
import { changeFieldsOf } from "../../../domain/review/changes.ts";
import { issueTypesOfKind, type ItemKind } from "../../../domain/review/issues.ts";
import { maxNoteLength } from "../../../domain/review/states.ts";
import type { ConsoleSession } from "../../../services/console/sessions.ts";
import { postForm } from "../components/postForm.ts";
import { inWords } from "../components/status.ts";
import { html } from "../html.ts";
import { actionButton } from "./actions.ts";

/** What somebody wrote who is asked to write it again. */
export interface ChangeDraft {
  issueType: string;
  change: string;
  note: string;
}

/** What each issue of a kind is put right with. */
function fieldsHint(kind: ItemKind): string {
  const issues = issueTypesOfKind[kind].map((issue) => {
    const fields = changeFieldsOf(kind, issue);
    return `${inWords(issue)}: ${fields.length === 0 ? "nothing" : fields.join(", ")}`;
  });
  return `Fields. ${issues.join("; ")}. Entities are written as "ent_42".`;
}

/** Accepting a correction as something else than was suggested. */
export function changeForm(session: ConsoleSession, correction: Correction, draft: ChangeDraft | null): VNode {
  const { correctionId, feedbackId, itemKind, issueType, suggestedChange } = correction;
  const path = `/console/reviews/${feedbackId}`;
  const id = `change-${correctionId}`;
  const chosenIssue = draft?.issueType ?? issueType;
  return html`
    <details open=${draft !== null}>
      <summary>Accept with changes</summary>
      ${postForm(
        session,
        `${path}/steps`,
        html`
          <input type="hidden" name="correction" value=${correctionId} />
          <p class="field">
            <label for=${`${id}-issue`}>What is wrong</label>
            <select id=${`${id}-issue`} name="issue_type">
              ${issueTypesOfKind[itemKind].map(
                (each) => html`<option value=${each} selected=${each === chosenIssue}>${inWords(each)}</option>`,
              )}
            </select>
          </p>
          <p class="field">
            <label for=${id}>What is right instead, as JSON</label>
            <textarea id=${id} name="change" rows="4" class="id" spellcheck="false" aria-describedby=${`${id}-hint`}>
${draft?.change ?? JSON.stringify(suggestedChange ?? {}, null, 2)}</textarea>
          </p>
          <p class="hint" id=${`${id}-hint`}>${fieldsHint(itemKind)}</p>
          <p class="field">
            <label for=${`${id}-note`}>Note for the submitter</label>
            <textarea id=${`${id}-note`} name="note" maxlength=${maxNoteLength} rows="2">${draft?.note ?? ""}</textarea>
          </p>
          <p class="actions">
            ${actionButton("accept_with_changes")}
            <button type="submit" formaction=${`${path}/preview`}>Preview these changes</button>
          </p>
        `,
      )}
    </details>
  `;
}
