import { type Feedback, readFeedback } from "../../database/feedback.ts";
import { listReviewCommands, type TakenReviewCommand } from "../../database/reviewCommands.ts";
import { readReputation, type Reputation } from "../../database/reviewQueue.ts";
import { ApiError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import { readEvidence, type ReviewedClaim } from "./readEvidence.ts";

export interface Review {
  feedback: Feedback;
  evidence: readonly ReviewedClaim[];
  /** Of the key that submitted it. */
  reputation: Reputation;
  history: readonly TakenReviewCommand[];
}

/** All that a reviewer needs to decide on a feedback. Throws `feedback_not_found`. */
export async function readReview({ pool }: ServiceContext, feedbackId: number): Promise<Review> {
  const feedback = await readFeedback(pool, feedbackId, null);
  if (feedback === null) throw new ApiError("feedback_not_found");
  return {
    feedback,
    evidence: await readEvidence(pool, feedback),
    reputation: await readReputation(pool, feedback.keyId),
    history: await listReviewCommands(pool, feedbackId),
  };
}
