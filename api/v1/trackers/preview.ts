import { z } from "zod";
import { entityId } from "../../../domain/entities.ts";
import { mentionId } from "../../../domain/evidence.ts";
import { previewTracker } from "../../../services/trackers/preview.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { shapeMedia } from "../evidence/schema.ts";
import { alertFields } from "../monitors/alertSchema.ts";
import { featureOf } from "../monitors/schema.ts";
import { trackerPreview } from "./schema.ts";

const previewed = z
  .object({
    occurrences: z.int().min(0).meta({ description: "Alerts that it would have fired: one a video." }),
    rows: z.int().min(0).meta({ description: "What they would have cost." }),
    byDay: z
      .array(
        z.object({
          date: z.iso.date().meta({ description: "UTC day on which the videos were published." }),
          occurrences: z.int().min(0).meta({ description: "Alerts of that day." }),
        }),
      )
      .meta({ description: "Every day, oldest first." }),
    sample: z
      .array(z.object(alertFields).meta({ id: "PreviewedAlert" }))
      .max(10)
      .meta({ description: "The newest of them." }),
  })
  .meta({ id: "TrackerPreviewResult" });

export const preview = operation({
  id: "previewTracker",
  method: "post",
  path: "/v1/trackers/preview",
  tag: "Trackers",
  summary: "Try a tracker on what is indexed",
  description: "What a tracker would have fired for the videos published lately. Stores nothing and costs no rows.",
  access: keyAccess("trackers:write", { featureOf }),
  params: none,
  query: none,
  body: trackerPreview,
  errors: ["entity_not_found"],
  responses: { 200: { description: "What it would have fired.", json: previewed } },
  async handle({ context, transaction, body }) {
    const { entityName, entityType, filters = {}, days } = body;
    const found = await previewTracker(context, transaction, { entityName, entityType, filters, days });
    return {
      status: 200,
      json: {
        occurrences: found.occurrences,
        rows: found.rows,
        byDay: found.byDay,
        sample: found.sample.map(({ mention, mentionCount }) => ({
          kind: mention.isAppearance ? ("appearance" as const) : ("mention" as const),
          mention_id: mentionId(mention.mentionId),
          entity_id: entityId(found.entity.numericId),
          entity_name: found.entity.name,
          media: shapeMedia(mention.media, context.settings.videoUrl),
          start_seconds: mention.startSeconds,
          end_seconds: mention.endSeconds,
          quote: mention.quote,
          sentiment_score: mention.sentimentScore,
          mention_count: mentionCount,
        })),
      },
    };
  },
});
