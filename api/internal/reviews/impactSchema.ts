import { z } from "zod";
import { journalTables } from "../../../database/reviewRows.ts";
import { entityId } from "../../../domain/entities.ts";
import { issueEffects } from "../../../domain/review/issues.ts";
import type { Impact } from "../../../services/feedback/impact.ts";

const object = z.record(z.string(), z.unknown());
const counts = z.object({ mention_count: z.int(), appearance_count: z.int(), commercial_count: z.int() });

export const impact = z
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

export function shapeImpact(report: Impact): z.input<typeof impact> {
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
