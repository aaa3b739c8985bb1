import { z } from "zod";
import type { Correction, Feedback, Fields } from "../../../database/feedback.ts";
import { maxNoteLength } from "../../../domain/review/states.ts";
import { nameEntities } from "../../../services/feedback/nameEntities.ts";
import { previewReview } from "../../../services/feedback/preview.ts";
import { readReviewed } from "../../../services/feedback/readReviewed.ts";
import { postForm } from "../components/postForm.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAsked, ConsolePage, ConsoleRoute } from "../route.ts";
import { type Action, actionButton } from "./actions.ts";
import { changeOf, correctionNumbers } from "./changeFields.ts";
import { entitiesIn } from "./changedRow.ts";
import { chosen } from "./decide.ts";
import { impactReport } from "./impactReport.ts";
import { movedBy } from "./possible.ts";
import { feedbackOf } from "./review.ts";

const asked = z.strictObject({
  action: z.enum(["apply", "revert"]).default("apply"),
  correction: correctionNumbers.optional(),
});
const changed = z.strictObject({
  correction: correctionNumbers,
  note: z.string().max(maxNoteLength).optional(),
  issue_type: z.string().optional(),
  change: z.string().max(100_000).optional(),
});

/** What applying or reverting would change, and the button that does it. */
export const previewRoute: ConsoleRoute = {
  id: "consoleReviewPreview",
  method: "get",
  path: "/reviews/:feedbackId/preview",
  async answer(asking) {
    const { action, correction } = readFields(asked, asking.query);
    const feedback = await readReviewed(asking.context, feedbackOf(asking));
    const corrections = feedback.corrections.filter(({ correctionId }) => correction?.includes(correctionId) ?? true);
    const wanted = [movedBy(corrections, action), action === "apply" ? movedBy(corrections, "accept") : []];
    const meant = wanted.find((each) => each.length > 0) ?? [];
    const step = action === "apply" && meant === wanted[1] ? "accept_and_apply" : action;
    return { page: await previewPage(asking, feedback, { meant, action, step, change: null }) };
  },
};

/** The same of changes that a reviewer wrote, which are not kept yet. */
export const previewChangesRoute: ConsoleRoute = {
  id: "consoleChangesPreview",
  method: "post",
  path: "/reviews/:feedbackId/preview",
  async answer(asking) {
    const fields = readFields(changed, asking.form);
    const feedback = await readReviewed(asking.context, feedbackOf(asking));
    const meant = feedback.corrections.filter(({ correctionId }) => fields.correction.includes(correctionId));
    const change = changeOf(fields);
    return {
      page: await previewPage(asking, feedback, { meant, action: "apply", step: "accept_with_changes", change }),
    };
  },
};

interface Previewed {
  meant: readonly Correction[];
  action: "apply" | "revert";
  /** What the page's button does. */
  step: Action;
  /** What they would be accepted with; null: as they stand. */
  change: Fields | null;
}

async function previewPage(
  { context, session, form }: ConsoleAsked,
  { feedbackId }: Feedback,
  { meant, action, step, change }: Previewed,
): Promise<ConsolePage> {
  const correctionIds = meant.map(({ correctionId }) => correctionId);
  const impact = await previewReview(context, { feedbackId, correctionIds, action, change });
  const names = await nameEntities(context, [
    ...impact.counts.map(({ entityId }) => entityId),
    ...impact.corrections.flatMap(({ entries }) => entries.flatMap(entitiesIn)),
  ]);
  const refused = new Set(
    impact.corrections.filter(({ refusal }) => refusal !== null).map((each) => each.correctionId),
  );
  const possible = meant.filter(({ correctionId }) => !refused.has(correctionId));
  const path = `/console/reviews/${feedbackId}`;
  const content = html`
    <p>Nothing is changed yet. <a href=${path} data-key="b">Back to feedback #${feedbackId}</a></p>
    ${impactReport(impact, meant, names)}
    ${
      possible.length === 0
        ? html`<p class="faint">There is nothing that ${action === "apply" ? "applying" : "reverting"} could do.</p>`
        : postForm(
            session,
            `${path}/steps`,
            html`
              ${chosen(possible)}
              ${
                change === null
                  ? null
                  : html`
                      <input type="hidden" name="change" value=${form.get("change") ?? ""} />
                      <input type="hidden" name="issue_type" value=${form.get("issue_type") ?? ""} />
                      <input type="hidden" name="note" value=${form.get("note") ?? ""} />
                    `
              }
              <p class="actions">${actionButton(step)}</p>
            `,
          )
    }
  `;
  const title = `${action === "apply" ? "Applying" : "Reverting"} feedback #${feedbackId}: preview`;
  return { title, section: "reviews", content };
}
