import type { Feedback } from "../../database/feedback.ts";
import { insertOutbox } from "../../database/outbox.ts";
import type { Transaction } from "../../database/pool.ts";
import { insertReviewCommand } from "../../database/reviewCommands.ts";
import { ApiError } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { carryOutIn } from "./carryOut.ts";
import { readOwnFeedback } from "./read.ts";

/**
 * Takes back a feedback of the account's own, in the caller's transaction; a repeat changes nothing. Throws `feedback_not_found`, and
 * `illegal_transition` where it is not `pending_review`.
 */
export async function withdrawFeedback(
  context: ServiceContext,
  transaction: Transaction,
  caller: Caller,
  feedbackId: number,
): Promise<Feedback> {
  await readOwnFeedback(transaction, caller, feedbackId);
  const commandId = newId("reviewCommand");
  await insertReviewCommand(transaction, {
    commandId,
    feedbackId,
    verb: "withdraw",
    correctionIds: null,
    note: null,
    change: null,
    actor: caller.keyId,
  });
  const { refusal } = await carryOutIn(context, transaction, commandId);
  if (refusal !== null) throw new ApiError("illegal_transition", refusal);
  await insertOutbox(transaction, "review.start", String(feedbackId));
  return readOwnFeedback(transaction, caller, feedbackId);
}
