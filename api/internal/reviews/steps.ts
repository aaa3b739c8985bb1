import type { z } from "zod";
import { type ReviewAsk, takeReviewStep } from "../../../services/feedback/takeReviewStep.ts";
import { internalAccess } from "../../http/access.ts";
import { carriedOperation, none, type Operation } from "../../http/operation.ts";
import { reviewedFeedback, reviewPath, shapeReviewed } from "./schema.ts";
import { decisionBody, effectBody, informationBody } from "./stepSchema.ts";

const repeats = "A repeat changes nothing; of two reviewers at once one decides.";

/** What reviewers do with a feedback. */
export const reviewSteps: readonly Operation[] = [
  stepOperation({
    name: "decide",
    id: "decideReview",
    summary: "Accept or reject corrections",
    description: `Accepted is not yet applied. ${repeats}`,
    body: decisionBody,
    askOf: ({ decision, change, resolution_note }) => ({
      action: "decide",
      decision,
      change: change ?? null,
      note: resolution_note ?? null,
    }),
  }),
  stepOperation({
    name: "request-information",
    id: "requestReviewInformation",
    summary: "Ask the submitter for more",
    description: `The note is theirs to read. ${repeats}`,
    body: informationBody,
    askOf: ({ resolution_note }) => ({ action: "request_information", note: resolution_note ?? null }),
  }),
  stepOperation({
    name: "supply-information",
    id: "supplyReviewInformation",
    summary: "Note what the submitter supplied",
    description: `The corrections wait for review again. ${repeats}`,
    body: informationBody,
    askOf: ({ resolution_note }) => ({ action: "supply_information", note: resolution_note ?? null }),
  }),
  stepOperation({
    name: "apply",
    id: "applyReview",
    summary: "Make accepted corrections live",
    description: `All of them in one transaction, or none, with the reason. No alert fires by it. ${repeats}`,
    body: effectBody,
    askOf: () => ({ action: "apply" }),
  }),
  stepOperation({
    name: "revert",
    id: "revertReview",
    summary: "Take applied corrections back",
    description: `Restores exactly what was there; refused, with the reason, where something changed it again since. ${repeats}`,
    body: effectBody,
    askOf: () => ({ action: "revert" }),
  }),
];

function stepOperation<T extends { correction_ids?: number[] | undefined }>(step: {
  name: string;
  id: string;
  summary: string;
  description: string;
  body: z.ZodType<T>;
  askOf: (body: T) => ReviewAsk;
}): Operation {
  return carriedOperation({
    id: step.id,
    method: "post",
    path: `/internal/reviews/{feedback_id}/${step.name}`,
    tag: "Reviews",
    summary: step.summary,
    description: step.description,
    access: internalAccess,
    params: reviewPath,
    query: none,
    body: step.body,
    errors: [
      "feedback_not_found",
      "correction_not_found",
      "illegal_transition",
      "invalid_feedback_request",
      "entity_not_found",
      "mention_not_found",
      "recommendation_not_found",
      "alert_not_found",
    ],
    responses: { 200: { description: "The feedback as it is now.", json: reviewedFeedback } },
    effect: "reviewCommand",
    async handle({ context, carrier, caller, params, body, effectId }) {
      const record = await takeReviewStep(context, carrier, {
        commandId: effectId,
        feedbackId: params.feedback_id,
        correctionIds: body.correction_ids ?? null,
        ask: step.askOf(body),
        actor: caller.keyId,
      });
      return { status: 200, json: shapeReviewed(record) };
    },
  });
}
