import type { VNode } from "preact";
import { z } from "zod";
import type { Correction, Feedback } from "../../../database/feedback.ts";
import { ApiError, errorCatalog } from "../../../domain/errors.ts";
import { maxNoteLength } from "../../../domain/review/states.ts";
import { nameEntities } from "../../../services/feedback/nameEntities.ts";
import { type PreviewRequest, previewReview } from "../../../services/feedback/preview.ts";
import { readReviewed } from "../../../services/feedback/readReviewed.ts";
import { postForm } from "../components/postForm.ts";
import { readFields } from "../fields.ts";
import { html } from "../html.ts";
import type { ConsoleAsked, ConsolePage, ConsoleRoute } from "../route.ts";
import { type Action, actionButton } from "./actions.ts";
import { changeOf, correctionNumbers } from "./changeFields.ts";
import { changeForm } from "./changeForm.ts";
import { entitiesIn } from "./changedRow.ts";
import { chosen } from "./decide.ts";
import { impactReport } from "./impactReport.ts";
import { movedBy } from "./possible.ts";
import { feedbackOf, reviewPage } from "./review.ts";
import { failedStep } from "./steps.ts";

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
    const correctionIds = meant.map(({ correctionId }) => correctionId);
    const previewed = { correctionIds, action, change: null };
    return { page: await previewPage(asking, feedback, previewed, (possible) => stepForm(asking, possible, step)) };
  },
};

/** The same of changes that a reviewer wrote, which are not kept yet and so stay on the page. */
export const previewChangesRoute: ConsoleRoute = {
  id: "consoleChangesPreview",
  method: "post",
  path: "/reviews/:feedbackId/preview",
  async answer(asking) {
    const fields = readFields(changed, asking.form);
    const feedback = await readReviewed(asking.context, feedbackOf(asking));
    try {
      const previewed = { correctionIds: fields.correction, action: "apply", change: changeOf(fields) } as const;
      const forms = () => changeForms(asking, feedback, fields.correction);
      return { page: await previewPage(asking, feedback, previewed, forms) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { page: await reviewPage(asking, failedStep(asking, error)), status: errorCatalog[error.code].status };
    }
  },
};

/** `formsOf`: what can be done with those of the corrections that nothing stands against. */
async function previewPage(
  { context }: ConsoleAsked,
  { feedbackId, corrections }: Feedback,
  previewed: Omit<PreviewRequest, "feedbackId"> & { correctionIds: readonly number[] },
  formsOf: (possible: readonly Correction[]) => VNode | null,
): Promise<ConsolePage> {
  const impact = await previewReview(context, { feedbackId, ...previewed });
  const meant = corrections.filter(({ correctionId }) => previewed.correctionIds.includes(correctionId));
  const names = await nameEntities(context, [
    ...impact.counts.map(({ entityId }) => entityId),
    ...impact.corrections.flatMap(({ entries }) => entries.flatMap(entitiesIn)),
  ]);
  const refused = new Set(
    impact.corrections.filter(({ refusal }) => refusal !== null).map((each) => each.correctionId),
  );
  const possible = meant.filter(({ correctionId }) => !refused.has(correctionId));
  const isApplying = previewed.action === "apply";
  const content = html`
    <p>Nothing is changed yet. <a href=${pathOf(feedbackId)} data-key="b">Back to feedback #${feedbackId}</a></p>
    ${impactReport(impact, meant, names)}
    ${
      possible.length === 0
        ? html`<p class="faint">There is nothing that ${isApplying ? "applying" : "reverting"} could do.</p>`
        : null
    }
    ${formsOf(possible)}
  `;
  const title = `${isApplying ? "Applying" : "Reverting"} feedback #${feedbackId}: preview`;
  return { title, section: "reviews", content };
}

function stepForm(asking: ConsoleAsked, possible: readonly Correction[], step: Action): VNode | null {
  if (possible.length === 0) return null;
  const content = html`
    ${chosen(possible)}
    <p class="actions">${actionButton(step)}</p>
  `;
  return postForm(asking.session, `${pathOf(feedbackOf(asking))}/steps`, content);
}

/** What was written, to be accepted or written again. */
function changeForms(
  { session, form }: ConsoleAsked,
  { corrections }: Feedback,
  correctionIds: readonly number[],
): VNode {
  const meant = corrections.filter(({ correctionId }) => correctionIds.includes(correctionId));
  const waiting = movedBy(meant, "accept_with_changes");
  if (waiting.length === 0) return html`<p class="faint">It was decided on meanwhile.</p>`;
  const draft = {
    change: form.get("change") ?? "",
    issueType: form.get("issue_type") ?? "",
    note: form.get("note") ?? "",
  };
  return html`${waiting.map((correction) => changeForm(session, correction, draft))}`;
}

function pathOf(feedbackId: number): string {
  return `/console/reviews/${feedbackId}`;
}
