import { z } from "zod";
import type { Correction, Feedback, Fields } from "../../../database/feedback.ts";
import { ApiError } from "../../../domain/errors.ts";
import {
  effectOf,
  feedbackTypes,
  isCommercial,
  issueEffects,
  issueTypes,
  issueTypesOfKind,
  itemKinds,
} from "../../../domain/review/issues.ts";
import { reviewStatuses } from "../../../domain/review/states.ts";
import type { SubmittedCorrection } from "../../../services/feedback/submit.ts";
import { keyAccess } from "../../http/access.ts";
import { readJson } from "../../../domain/json.ts";
import { integerParameter } from "../../http/parameters.ts";

const feedbackIdField = z.int().meta({ description: "Number of the feedback.", example: 7 });
export const feedbackPath = z.strictObject({
  feedback_id: integerParameter({ min: 0, max: 999_999_999_999_999, description: "Number of the feedback." }),
});

const commercial = new Set<unknown>(feedbackTypes.filter(isCommercial));

/** Feedback about commercial data needs the same access as the data. */
export const submissionAccess = keyAccess("read", {
  commercialWhen: {
    says: "`type` recommendations or channel_sponsors",
    holds: ({ body }) => commercial.has(body["type"]),
  },
});

const type = z.enum(feedbackTypes).meta({ description: "The surface that was called.", example: "mentions" });
const text = (longest: number, description: string) => z.string().max(longest).meta({ description });
const object = z.record(z.string(), z.unknown());

const itemId = z.string().min(1).max(200).meta({
  description:
    "What is wrong: `com_*` of a recommendation, `men_*` of a mention or appearance, `ent_*` of a sponsor, entity, channel or result, and an alert's id as the alert list gives it. For `missing`, the `ent_*` of what is missing will do.",
  example: "men_7",
});
const itemKind = z
  .enum(itemKinds)
  .meta({ description: "What `item_id` is, as the type asks for it.", example: "mention" });
const issueType = z.enum(issueTypes).meta({
  description: `What is wrong. ${itemKinds.map((kind) => `${kind}: ${issueTypesOfKind[kind].join(", ")}`).join(". ")}.`,
  example: "wrong_entity",
});
const suggestedChange = object.meta({
  description:
    "What is right instead, by `issue_type`: wrong_class `{mention_class}`, wrong_entity and wrong_person `{entity_id}`, wrong_promo_code `{promo_code}`, wrong_offer `{offer}`, wrong_quote `{quote}` or, of a recommendation, `{verbatim_quote}`, wrong_timestamp `{start_seconds, end_seconds}`, wrong_speaker_role `{speaker_role}`, wrong_sentiment `{sentiment_score}`, wrong_appearance_role `{role}`, duplicate and duplicate_alert `{duplicate_of}`, missing `{video_id, entity_id, start_seconds, end_seconds, quote, …}` or, of a sponsor, `{entity_id}`, wrong_status `{status}`, wrong_count `{ad_read_count}`, wrong_name `{name}`, wrong_type `{type}`, wrong_url `{url}`, wrong_image `{image_url}`, wrong_owner `{owner_entity_id}`, duplicate_entity `{canonical_id}`, should_split `{note}`, missing_alias `{alias}`, wrong_rank `{expected_rank}`, missing_result `{entity_id}`. The other issue types take none.",
  example: { entity_id: "ent_42" },
});
const observedRank = z.int().min(1).max(100_000).meta({
  description: "At which place of the results it was, from 1. Required for feedback of type `search`.",
  example: 3,
});

export const newFeedback = z
  .strictObject({
    type,
    query: z.union([object, z.string().max(60_000)]).meta({
      description: "The query that was run: its parameters as an object, or that object as URL-encoded JSON.",
      example: { entity_id: "ent_7", limit: 20 },
    }),
    notes: text(5000, "What else a reviewer should know.").nullable().optional(),
    corrections: z
      .array(
        z.strictObject({
          item_id: itemId,
          item_kind: itemKind,
          issue_type: issueType,
          reason: text(2000, "Why it is wrong.").nullable().optional(),
          suggested_change: suggestedChange.nullable().optional(),
          notes: text(5000, "What else a reviewer should know of it.").nullable().optional(),
          observed_rank: observedRank.nullable().optional(),
        }),
      )
      .min(1)
      .max(50)
      .meta({ description: "What is wrong with the answer, item by item." }),
  })
  .meta({
    id: "NewFeedback",
    example: {
      type: "mentions",
      query: { entity_id: "ent_7" },
      corrections: [
        {
          item_id: "men_7",
          item_kind: "mention",
          issue_type: "wrong_entity",
          reason: "It is about the company.",
          suggested_change: { entity_id: "ent_42" },
        },
      ],
    },
  });

const status = z.enum(reviewStatuses);
const time = z.iso.datetime();

export const correction = z
  .object({
    correction_id: z.int().meta({ description: "Number of the correction.", example: 9 }),
    status: status.meta({ description: "Where its review stands." }),
    item_id: itemId,
    item_kind: itemKind,
    issue_type: issueType,
    reason: z.string().nullable().meta({ description: "As submitted." }),
    suggested_change: object.nullable().meta({ description: "As submitted; null where none was." }),
    notes: z.string().nullable().meta({ description: "As submitted." }),
    observed_rank: z.int().nullable().meta({ description: "As submitted." }),
    resolution_note: z.string().nullable().meta({ description: "What the reviewer says of it." }),
    effect: z.enum(issueEffects).meta({
      description:
        "What applying it changes: `reads`, what the API answers; `record`, only what is recorded for ranking and review (should_split, irrelevant, wrong_rank, late_alert).",
    }),
    created_at: time.meta({ description: "When it was submitted." }),
  })
  .meta({ id: "FeedbackCorrection" });

/** The specification's "Feedback record". */
export const feedbackFields = {
  feedback_id: feedbackIdField,
  type,
  status: status.meta({
    description:
      "Of the corrections' statuses the first that is present: needs_information, pending_review, accepted, accepted_with_changes, reverted, applied, rejected, withdrawn. Accepted is not yet applied.",
  }),
  query: object.meta({ description: "The query that the feedback is about, as submitted." }),
  notes: z.string().nullable().meta({ description: "As submitted." }),
  created_at: time.nullable().meta({ description: "When it was submitted." }),
};
export const feedback = z
  .object({
    ...feedbackFields,
    corrections: z.array(correction).meta({ description: "In the order of the submission." }),
  })
  .meta({ id: "Feedback" });

export function shapeFeedback(record: Feedback): z.input<typeof feedback> {
  return { ...shapeFeedbackHead(record), corrections: record.corrections.map(shapeCorrection) };
}

export function shapeFeedbackHead(record: Omit<Feedback, "corrections">) {
  return {
    feedback_id: record.feedbackId,
    type: record.type,
    status: record.status,
    query: { ...record.query },
    notes: record.notes,
    created_at: record.createdAt.toISOString(),
  };
}

export function shapeCorrection(record: Correction): z.input<typeof correction> {
  return {
    correction_id: record.correctionId,
    status: record.status,
    item_id: record.itemId,
    item_kind: record.itemKind,
    issue_type: record.issueType,
    reason: record.reason,
    suggested_change: record.suggestedChange === null ? null : { ...record.suggestedChange },
    notes: record.notes,
    observed_rank: record.observedRank,
    resolution_note: record.resolutionNote,
    effect: effectOf(record.itemKind, record.resolution?.issueType ?? record.issueType),
    created_at: record.createdAt.toISOString(),
  };
}

export function correctionsOf(body: z.output<typeof newFeedback>): SubmittedCorrection[] {
  return body.corrections.map((given) => ({
    itemId: given.item_id,
    itemKind: given.item_kind,
    issueType: given.issue_type,
    reason: given.reason ?? null,
    suggestedChange: given.suggested_change ?? null,
    notes: given.notes ?? null,
    observedRank: given.observed_rank ?? null,
  }));
}

/** The query as an object, whichever way it was sent. Throws `invalid_feedback_request` for what is no object in URL-encoded JSON. */
export function queryOf({ query }: z.output<typeof newFeedback>): Fields {
  if (typeof query !== "string") return query;
  if (query.trim() === "")
    throw new ApiError("invalid_feedback_request", "`query` is empty; send the query that was run.");
  // Encoders of forms write a space as "+"; in what is encoded, a plus sign itself is %2B.
  const encoded = query.trimStart().startsWith("{") ? query : query.replaceAll("+", " ");
  try {
    return object.parse(readJson(Buffer.from(decodeURIComponent(encoded))));
  } catch {
    throw new ApiError(
      "invalid_feedback_request",
      "`query` is not an object as URL-encoded JSON; encode it once, or send the object itself.",
    );
  }
}
