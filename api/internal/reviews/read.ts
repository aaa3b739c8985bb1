import { readReview as readWhole } from "../../../services/feedback/readReview.ts";
import { internalAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { review, reviewPath, shapeReview } from "./schema.ts";

export const readReview = operation({
  id: "getReview",
  method: "get",
  path: "/internal/reviews/{feedback_id}",
  tag: "Reviews",
  summary: "One feedback with its evidence",
  description:
    "What is claimed, beside what the index says now and what was said; who submitted it, and what was done with it.",
  access: internalAccess,
  params: reviewPath,
  query: none,
  errors: ["feedback_not_found"],
  responses: { 200: { description: "The review.", json: review } },
  async handle({ context, params }) {
    const record = await readWhole(context, params.feedback_id);
    return { status: 200, json: shapeReview(record, context.settings) };
  },
});
