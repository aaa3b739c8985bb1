import { z } from "zod";
import { maxNoteLength, reviewDecisions } from "../../../domain/review/states.ts";

export const correctionIds = z
  .array(z.int().min(0).max(999_999_999_999_999))
  .min(1)
  .max(50)
  .meta({ description: "Which corrections; left out: all that can take the step." });

export const change = z.record(z.string(), z.unknown()).meta({
  description:
    "What is right instead, as `suggested_change` of a submission; with an `issue_type` of the same kind of item where it is resolved as another one.",
  example: { entity_id: "ent_42" },
});

const note = z.string().max(maxNoteLength);

export const decisionBody = z
  .strictObject({
    decision: z.enum(reviewDecisions).meta({ description: "What becomes of them.", example: "accepted" }),
    correction_ids: correctionIds.optional(),
    resolution_note: note.optional().meta({ description: "For the submitter." }),
    change: change.optional(),
  })
  .meta({ id: "ReviewDecision" });

export const informationBody = z
  .strictObject({
    correction_ids: correctionIds.optional(),
    resolution_note: note.optional().meta({ description: "What is wanted, or what was supplied." }),
  })
  .meta({ id: "ReviewInformation" });

export const effectBody = z
  .strictObject({ correction_ids: correctionIds.optional() })
  .prefault({})
  .meta({ id: "ReviewEffect" });
