import { type Feedback, readFeedback } from "../../database/feedback.ts";
import { ApiError } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";

/** A feedback of whatever account, for who reviews it. Throws `feedback_not_found`. */
export async function readReviewed({ pool }: ServiceContext, feedbackId: number): Promise<Feedback> {
  const feedback = await readFeedback(pool, feedbackId, null);
  if (feedback === null) throw new ApiError("feedback_not_found");
  return feedback;
}
