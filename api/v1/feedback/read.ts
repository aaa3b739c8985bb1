import { readOwnFeedback } from "../../../services/feedback/read.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { feedback, feedbackPath, shapeFeedback } from "./schema.ts";

export const read = operation({
  id: "getFeedback",
  method: "get",
  path: "/v1/feedback/{feedback_id}",
  tag: "Community Review",
  summary: "See what became of a feedback",
  description: "Free. Only the account that submitted it sees it.",
  access: keyAccess("read"),
  params: feedbackPath,
  query: none,
  errors: ["feedback_not_found"],
  responses: { 200: { description: "The feedback.", json: feedback } },
  async handle({ context, caller, params }) {
    const record = await readOwnFeedback(context.pool, caller, params.feedback_id);
    return { status: 200, json: shapeFeedback(record) };
  },
});
