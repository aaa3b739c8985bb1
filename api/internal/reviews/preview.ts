import { z } from "zod";
import { entityId } from "../../../domain/entities.ts";
import { issueEffects } from "../../../domain/review/issues.ts";
import { type Impact } from "../../../services/feedback/impact.ts";
import { previewReview as preview } from "../../../services/feedback/preview.ts";
import { journalTables } from "../../../database/reviewRows.ts";
import { internalAccess } from "../../http/access.ts";
import { carriedOperation, none } from "../../http/operation.ts";
import { reviewPath } from "./schema.ts";
import { change, correctionIds } from "./stepSchema.ts";

const object = z.record(z.string(), z.unknown());
const counts = z.object({ mention_count: z.int(), appearance_count: z.int(), commercial_count: z.int() });

const impact = z
  .object({
    corrections: z.array(
      z.object({
        correction_id: z.int(),
        effect: z.enum(issueEffects).meta({
          description:
            "What it changes: `reads`, what the API answers; `record`, only what is recorded for ranking and review.",
        }),
        refusal: z.string().nullable().meta({ description: "Why it cannot be done; null: it can." }),
        rows: z
          .array(
            z.object({
              table: z.enum(journalTables),
              key: object,
              change: z.enum(["added", "changed", "removed"]),
              before: object.nullable(),
              after: object.nullable(),
            }),
          )
          .meta({ description: "Rows that change; of those that stay, the columns that do." }),
      }),
    ),
    counts: z
      .array(z.object({ entity_id: z.string(), before: counts, after: counts }))
      .meta({ description: "Entities whose counts change." }),
    alert_ids: z
      .array(z.string())
      .meta({ description: "Alerts that show what changes, at most 100. None fires by it." }),
    pages: z.array(z.string()).meta({ description: "Reads of the API that answer otherwise." }),
  })
  .meta({ id: "ReviewImpact" });

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

function shapeImpact(report: Impact): z.input<typeof impact> {
  return {
    corrections: report.corrections.map(({ correctionId, effect, refusal, entries }) => ({
      correction_id: correctionId,
      effect,
      refusal,
      rows: entries.map(({ table, key, before, after }) => ({
        table,
        key: { ...key },
        change: before === null ? "added" : after === null ? "removed" : "changed",
        before: before === null ? null : { ...before },
        after: after === null ? null : { ...after },
      })),
    })),
    counts: report.counts.map((each) => ({
      entity_id: entityId(each.entityId),
      before: shapeCounts(each.before),
      after: shapeCounts(each.after),
    })),
    alert_ids: [...report.alertIds],
    pages: [...report.pages],
  };
}

function shapeCounts(of: Impact["counts"][number]["before"]): z.input<typeof counts> {
  return {
    mention_count: of.mentionCount,
    appearance_count: of.appearanceCount,
    commercial_count: of.commercialCount,
  };
}
