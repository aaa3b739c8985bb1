import type { Correction, Feedback } from "../database/feedback.ts";
import type { QueuedFeedback } from "../database/reviewQueue.ts";
import { effectOf } from "../domain/review/issues.ts";
import type { Review } from "../services/feedback/readReview.ts";

/** The feedback record of the specification, as `/v1` has it. */
export function feedbackRecord(feedback: Feedback) {
  return { ...headOf(feedback), corrections: feedback.corrections.map(correctionRecord) };
}

/** The same with the submitter, what the index says now, and what was done. */
export function reviewRecord({ feedback, evidence, reputation, history }: Review) {
  return {
    ...headOf(feedback),
    account_id: feedback.accountId,
    key_id: feedback.keyId,
    corrections: evidence.map(({ correction, evidence: seen }) => ({
      ...correctionRecord(correction),
      resolution: correction.resolution,
      current: seen.current,
      excerpt: seen.excerpt,
    })),
    reputation,
    history: history.map(({ verb, movedIds, outcome, refusal, note, change, actor, requestedAt }) => ({
      at: requestedAt,
      actor,
      verb,
      correction_ids: movedIds,
      outcome,
      refusal,
      note,
      change,
    })),
  };
}

/** A line of the queue. */
export function queuedRecord(feedback: QueuedFeedback) {
  const corrections = feedback.corrections.map((each) => ({
    correction_id: each.correctionId,
    status: each.status,
    item_kind: each.itemKind,
    item_id: each.itemId,
    issue_type: each.issueType,
  }));
  return { ...headOf(feedback), account_id: feedback.accountId, corrections };
}

function headOf({ feedbackId, type, status, query, notes, createdAt }: Omit<Feedback, "corrections">) {
  return { feedback_id: feedbackId, type, status, query, notes, created_at: createdAt };
}

function correctionRecord(correction: Correction) {
  return {
    correction_id: correction.correctionId,
    status: correction.status,
    item_id: correction.itemId,
    item_kind: correction.itemKind,
    issue_type: correction.issueType,
    reason: correction.reason,
    suggested_change: correction.suggestedChange,
    notes: correction.notes,
    observed_rank: correction.observedRank,
    resolution_note: correction.resolutionNote,
    effect: effectOf(correction.itemKind, correction.resolution?.issueType ?? correction.issueType),
    created_at: correction.createdAt,
  };
}
