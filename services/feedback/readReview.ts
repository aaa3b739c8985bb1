import { type Correction, type Feedback, readFeedback } from "../../database/feedback.ts";
import { listReviewCommands, type TakenReviewCommand } from "../../database/reviewCommands.ts";
import { readReputation, type Reputation } from "../../database/reviewQueue.ts";
import { ApiError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import { type Evidence, readEvidence } from "./readEvidence.ts";

export interface Review {
  feedback: Feedback;
  evidence: readonly { correction: Correction; evidence: Evidence }[];
  /** Of the key that submitted it. */
  reputation: Reputation;
  history: readonly TakenReviewCommand[];
}

/** All that a reviewer needs to decide on a feedback. Throws `feedback_not_found`. */
export async function readReview({ pool }: ServiceContext, feedbackId: number): Promise<Review> {
  const feedback = await readFeedback(pool, feedbackId, null);
  if (feedback === null) throw new ApiError("feedback_not_found");
  const evidence = [];
  for (const correction of feedback.corrections)
    evidence.push({ correction, evidence: await readEvidence(pool, feedback, correction) });
  return {
    feedback,
    evidence,
    reputation: await readReputation(pool, feedback.keyId),
    history: await listReviewCommands(pool, feedbackId),
  };
}
