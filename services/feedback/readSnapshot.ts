import { readFeedback, snapshotOf } from "../../database/feedback.ts";
import { ApiError } from "../../domain/errors.ts";
import type { ReviewSnapshot } from "../../domain/review/carrying.ts";
import type { ServiceContext } from "../context.ts";

/** Where a feedback stands. Throws `feedback_not_found`. */
export async function readSnapshot({ pool }: ServiceContext, feedbackId: number): Promise<ReviewSnapshot> {
  const feedback = await readFeedback(pool, feedbackId, null);
  if (feedback === null) throw new ApiError("feedback_not_found");
  return snapshotOf(feedback);
}
