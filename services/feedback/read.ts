import { type Feedback, readFeedback as selectFeedback } from "../../database/feedback.ts";
import type { Queryable } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Caller } from "../context.ts";

/** The account's own feedback. Throws `feedback_not_found`, the same for another account's as for one that is nowhere. */
export async function readOwnFeedback(db: Queryable, { accountId }: Caller, feedbackId: number): Promise<Feedback> {
  const feedback = await selectFeedback(db, feedbackId, accountId);
  if (feedback === null) throw new ApiError("feedback_not_found");
  return feedback;
}
