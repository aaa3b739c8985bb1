import { submitFeedback } from "../../../services/feedback/submit.ts";
import { none, operation } from "../../http/operation.ts";
import { correctionsOf, feedback, newFeedback, queryOf, shapeFeedback, submissionAccess } from "./schema.ts";

export const create = operation({
  id: "createFeedback",
  method: "post",
  path: "/v1/feedback",
  tag: "Community Review",
  summary: "Report what is wrong with an answer",
  description:
    "Free. Reviewers decide on each correction; nothing changes by itself, and `status` says what became of it. Where more is wanted (`needs_information`), send it to support and quote the `feedback_id`.",
  access: submissionAccess,
  params: none,
  query: none,
  body: newFeedback,
  bodyMisfit: "invalid_feedback_request",
  errors: [
    "invalid_feedback_request",
    "entity_not_found",
    "mention_not_found",
    "recommendation_not_found",
    "alert_not_found",
  ],
  responses: { 201: { description: "The feedback, which waits for review.", json: feedback } },
  async handle({ transaction, caller, body }) {
    const record = await submitFeedback(transaction, caller, {
      type: body.type,
      query: queryOf(body),
      notes: body.notes ?? null,
      corrections: correctionsOf(body),
    });
    return { status: 201, json: shapeFeedback(record) };
  },
});
