import { z } from "zod";
import type { TakenReviewCommand } from "../../../database/reviewCommands.ts";
import type { QueuedFeedback } from "../../../database/reviewQueue.ts";
import type { Correction, Feedback } from "../../../database/feedback.ts";
import { issueTypes, itemKinds } from "../../../domain/review/issues.ts";
import { reviewStatuses, reviewVerbs } from "../../../domain/review/states.ts";
import type { Review } from "../../../services/feedback/readReview.ts";
import {
  correction,
  feedbackFields,
  feedbackPath,
  shapeCorrection,
  shapeFeedbackHead,
} from "../../v1/feedback/schema.ts";
import { evidence, shapeEvidence, type ShownAddresses } from "./evidenceSchema.ts";

export const reviewPath = feedbackPath;

const object = z.record(z.string(), z.unknown());
const time = z.iso.datetime();

const submitter = {
  account_id: z.string().meta({ description: "Who submitted it." }),
  key_id: z.string().meta({ description: "By which key." }),
};

const queuedReview = z
  .object({
    ...feedbackFields,
    ...submitter,
    corrections: z
      .array(
        z.object({
          correction_id: z.int(),
          status: z.enum(reviewStatuses),
          item_kind: z.enum(itemKinds),
          item_id: z.string(),
          issue_type: z.enum(issueTypes),
        }),
      )
      .meta({ description: "In the order of the submission." }),
  })
  .meta({ id: "QueuedReview" });
export { queuedReview };

const resolution = z
  .object({
    issue_type: z.enum(issueTypes).meta({ description: "What it is resolved as." }),
    change: object.nullable().meta({ description: "What is right instead." }),
  })
  .nullable()
  .meta({ description: "How a reviewer resolves it; null: as it was suggested." });

/** A feedback as reviewers see it. */
export const reviewedFeedback = z
  .object({
    ...feedbackFields,
    ...submitter,
    corrections: z.array(correction.extend({ resolution })),
  })
  .meta({ id: "ReviewedFeedback" });

const reputation = z
  .object({
    submitted: z.int().meta({ description: "Corrections in all." }),
    accepted: z.int().meta({ description: "Those that reviewers accepted, whatever came after." }),
    rejected: z.int(),
    reverted: z.int().meta({ description: "Those that were applied and are taken back now." }),
  })
  .meta({ description: "Of the key that submitted it. It decides nothing by itself." });

const step = z.object({
  command_id: z.string(),
  verb: z.enum(reviewVerbs),
  correction_ids: z.array(z.int()).meta({ description: "Those that moved." }),
  outcome: z.enum(["done", "repeated", "refused"]).nullable().meta({ description: "Null: not carried out yet." }),
  refusal: z.string().nullable().meta({ description: "Why it was refused." }),
  note: z.string().nullable(),
  change: object.nullable(),
  actor: z.string().meta({ description: "Id of a key, `command line`, or `temporal` for a signal." }),
  actor_name: z.string().nullable().meta({ description: "Name of that key; null for what is none." }),
  at: time,
});

export const review = z
  .object({
    ...feedbackFields,
    ...submitter,
    corrections: z.array(
      correction.extend({ resolution, evidence: evidence.meta({ description: "What the index says now." }) }),
    ),
    reputation,
    history: z.array(step).meta({ description: "What was done with it, in order." }),
  })
  .meta({ id: "Review" });

export function shapeQueued(record: QueuedFeedback): z.input<typeof queuedReview> {
  return {
    ...shapeFeedbackHead(record),
    ...submitterOf(record),
    corrections: record.corrections.map((each) => ({
      correction_id: each.correctionId,
      status: each.status,
      item_kind: each.itemKind,
      item_id: each.itemId,
      issue_type: each.issueType,
    })),
  };
}

export function shapeReviewed(record: Feedback): z.input<typeof reviewedFeedback> {
  return {
    ...shapeFeedbackHead(record),
    ...submitterOf(record),
    corrections: record.corrections.map((each) => ({ ...shapeCorrection(each), resolution: shapeResolution(each) })),
  };
}

export function shapeReview(record: Review, addresses: ShownAddresses): z.input<typeof review> {
  return {
    ...shapeFeedbackHead(record.feedback),
    ...submitterOf(record.feedback),
    corrections: record.evidence.map(({ correction: each, evidence: seen }) => ({
      ...shapeCorrection(each),
      resolution: shapeResolution(each),
      evidence: shapeEvidence(seen, addresses),
    })),
    reputation: record.reputation,
    history: record.history.map(shapeStep),
  };
}

function submitterOf({ accountId, keyId }: { accountId: string; keyId: string }) {
  return { account_id: accountId, key_id: keyId };
}

function shapeResolution({ resolution: resolved }: Correction): z.input<typeof resolution> {
  if (resolved === null) return null;
  return { issue_type: resolved.issueType, change: resolved.change === null ? null : { ...resolved.change } };
}

function shapeStep(command: TakenReviewCommand): z.input<typeof step> {
  return {
    command_id: command.commandId,
    verb: command.verb,
    correction_ids: command.movedIds,
    outcome: command.outcome,
    refusal: command.refusal,
    note: command.note,
    change: command.change === null ? null : { ...command.change },
    actor: command.actor,
    actor_name: command.actorName,
    at: command.requestedAt.toISOString(),
  };
}
