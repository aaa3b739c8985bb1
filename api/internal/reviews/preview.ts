import { z } from "zod";
import { previewReview as preview } from "../../../services/feedback/preview.ts";
import { internalAccess } from "../../http/access.ts";
import { carriedOperation, none } from "../../http/operation.ts";
import { impact, shapeImpact } from "./impactSchema.ts";
import { reviewPath } from "./schema.ts";
import { change, correctionIds } from "./stepSchema.ts";

export const previewReview = carriedOperation({
  id: "previewReview",
  method: "post",
  path: "/internal/reviews/{feedback_id}/preview",
  tag: "Reviews",
  summary: "See what applying or reverting would change",
  description: "It is done and rolled back, so the report is exact. Corrections need not be accepted yet.",
  access: internalAccess,
  params: reviewPath,
  query: none,
  body: z
    .strictObject({
      action: z.enum(["apply", "revert"]).default("apply").meta({ description: "What would be done." }),
      correction_ids: correctionIds.optional(),
      change: change.optional(),
    })
    .meta({ id: "PreviewRequest" }),
  effect: "reviewCommand",
  errors: ["feedback_not_found", "correction_not_found"],
  responses: { 200: { description: "The report.", json: impact } },
  async handle({ context, params, body }) {
    const report = await preview(context, {
      feedbackId: params.feedback_id,
      correctionIds: body.correction_ids ?? null,
      action: body.action,
      change: body.change ?? null,
    });
    return { status: 200, json: shapeImpact(report) };
  },
});
