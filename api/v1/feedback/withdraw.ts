import { withdrawFeedback } from "../../../services/feedback/withdraw.ts";
import { keyAccess } from "../../http/access.ts";
import { noBody, none, operation } from "../../http/operation.ts";
import { feedback, feedbackPath, shapeFeedback } from "./schema.ts";

export const withdraw = operation({
  id: "withdrawFeedback",
  method: "post",
  path: "/v1/feedback/{feedback_id}/withdraw",
  tag: "Community Review",
  summary: "Take a feedback back",
  description: "Free. Only while it is `pending_review`; a repeat changes nothing.",
  access: keyAccess("read"),
  params: feedbackPath,
  query: none,
  body: noBody,
  errors: ["feedback_not_found", "illegal_transition"],
  responses: { 200: { description: "The feedback as it is now.", json: feedback } },
  async handle({ context, transaction, caller, params }) {
    const record = await withdrawFeedback(context, transaction, caller, params.feedback_id);
    return { status: 200, json: shapeFeedback(record) };
  },
});
