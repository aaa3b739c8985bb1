import { z } from "zod";
import type { Fields } from "../../../database/feedback.ts";
import { ApiError, errorCatalog } from "../../../domain/errors.ts";
import { maxNoteLength, planStep, type ReviewVerb, type StepPlan } from "../../../domain/review/states.ts";
import { readReviewed } from "../../../services/feedback/readReviewed.ts";
import { type ReviewAsk, takeReviewStep } from "../../../services/feedback/takeReviewStep.ts";
import { readFields } from "../fields.ts";
import type { ConsoleAsked, ConsoleRoute } from "../route.ts";
import { type Action, actions, verbsOf } from "./actions.ts";
import { changeOf, correctionNumbers } from "./changeFields.ts";
import { type FailedStep, feedbackOf, reviewPage } from "./review.ts";

const stepForm = z.strictObject({
  action: z.enum(actions),
  correction: correctionNumbers.optional(),
  note: z.string().max(maxNoteLength).optional(),
  issue_type: z.string().optional(),
  change: z.string().max(100_000).optional(),
});

/** Takes a step of a review and leads back to it; one that cannot be taken leaves what was written for it on the page, with the reason. */
export const stepRoute: ConsoleRoute = {
  id: "consoleReviewStep",
  method: "post",
  path: "/reviews/:feedbackId/steps",
  async answer(asked) {
    const feedbackId = feedbackOf(asked);
    const fields = readFields(stepForm, asked.form);
    const { action, correction, note } = fields;
    if (correction === undefined) throw new ApiError("invalid_query", "Choose at least one correction.");
    try {
      const repeats: boolean[] = [];
      for (const verb of verbsOf[action]) {
        const { corrections } = await readReviewed(asked.context, feedbackId);
        repeats.push(isRepeat(planStep(corrections, verb, correction)));
        const ask = askOf(verb, note ?? null, action === "accept_with_changes" ? changeOf(fields) : null);
        const actor = asked.session.keyId;
        await takeReviewStep(asked.context, asked.carrier, { feedbackId, correctionIds: correction, ask, actor });
      }
      const flash = repeats.every(Boolean) ? `${done[action]} before: nothing changed.` : `${done[action]}.`;
      return { redirect: `/console/reviews/${feedbackId}`, flash };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === "feedback_not_found") throw error;
      return { page: await reviewPage(asked, failedStep(asked, error)), status: errorCatalog[error.code].status };
    }
  },
};

const done: Record<Action, string> = {
  accept: "Accepted",
  accept_and_apply: "Accepted and applied",
  accept_with_changes: "Accepted with changes",
  reject: "Rejected",
  request_information: "Information was requested",
  supply_information: "What was supplied was noted",
  apply: "Applied",
  revert: "Reverted",
};

/** By a double click, or by another reviewer. */
function isRepeat(plan: StepPlan): boolean {
  return plan.kind === "moves" && plan.correctionIds.length === 0;
}

function askOf(verb: ReviewVerb, note: string | null, change: Fields | null): ReviewAsk {
  switch (verb) {
    case "accept":
      return { action: "decide", decision: "accepted", change: null, note };
    case "accept_with_changes":
      return { action: "decide", decision: "accepted_with_changes", change, note };
    case "reject":
      return { action: "decide", decision: "rejected", change: null, note };
    case "request_information":
    case "supply_information":
      return { action: verb, note };
    case "apply":
    case "revert":
      return { action: verb };
    case "withdraw":
      throw new Error("only its owner withdraws a feedback");
  }
}

/** What a form that could not be taken said, so that the page of the review can show it again. */
export function failedStep({ form }: ConsoleAsked, { message: problem }: ApiError): FailedStep {
  const [change, issueType, note] = [form.get("change"), form.get("issue_type"), form.get("note") ?? ""];
  if (change === null || issueType === null) return { problem, draft: { kind: "decision", note } };
  const correctionId = Number(form.get("correction"));
  return { problem, draft: { kind: "change", correctionId, change: { change, issueType, note } } };
}
