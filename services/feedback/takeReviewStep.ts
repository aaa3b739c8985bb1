import { type Feedback, type Fields, readFeedback } from "../../database/feedback.ts";
import { insertOutbox } from "../../database/outbox.ts";
import { readReviewCommand } from "../../database/reviewCommands.ts";
import { ApiError } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { type ReviewCarrier, stepNameOf } from "../../domain/review/carrying.ts";
import { planStep, type ReviewDecision, type ReviewVerb, verbOf } from "../../domain/review/states.ts";
import type { ServiceContext } from "../context.ts";
import { carryOutIn } from "./carryOut.ts";
import { keepCommand } from "./keepCommand.ts";
import { ReviewRefusal } from "./refusal.ts";
import { requireNamed, requireResolvable, resolveWith } from "./resolve.ts";

/** What a reviewer wants to be done. */
export type ReviewAsk =
  | { action: "decide"; decision: ReviewDecision; change: Fields | null; note: string | null }
  | { action: "request_information" | "supply_information"; note: string | null }
  | { action: "apply" | "revert" };

export interface ReviewRequest {
  /** Id of the step: one that was asked for before under it is not taken again. Left out: a new one. */
  commandId?: string;
  feedbackId: number;
  /** Null: all that can take the step. */
  correctionIds: readonly number[] | null;
  ask: ReviewAsk;
  /** Id of the reviewer's key, or `command line`. */
  actor: string;
}

/**
 * Takes a reviewer's step and returns the feedback as it is then; a repeat of what was done changes nothing. The workflow of the feedback
 * carries it; where that is not there to be asked, or knows less than Postgres, the step is taken without it, and it is told. Throws
 * `feedback_not_found`, `correction_not_found`, `invalid_body` for a change that does not fit, and `illegal_transition` with the reason why
 * the step cannot be taken.
 */
export async function takeReviewStep(
  context: ServiceContext,
  carrier: ReviewCarrier | null,
  { commandId = newId("reviewCommand"), feedbackId, correctionIds, ask, actor }: ReviewRequest,
): Promise<Feedback> {
  const feedback = await requireFeedback(context, feedbackId);
  const verb = verbOfAsk(ask);
  const change = ask.action === "decide" ? ask.change : null;
  const known = await readReviewCommand(context.pool, commandId);
  if (known === null) {
    await requireFitting(context, feedback, verb, correctionIds, change);
    const note = "note" in ask ? ask.note : null;
    await keepCommand(context, { commandId, feedbackId, verb, correctionIds, note, change, actor });
  }
  if (known === null || known.outcome === null) {
    const decision = ask.action === "decide" ? ask.decision : null;
    const ids = correctionIds === null ? null : [...correctionIds];
    const isCarried = await carrier?.carry(feedbackId, stepNameOf(verb), { commandId, decision, correctionIds: ids });
    if (isCarried !== true) await carryWithout(context, feedbackId, commandId);
  }
  const command = await readReviewCommand(context.pool, commandId);
  if (command?.outcome === "refused") throw new ApiError("illegal_transition", command.refusal ?? undefined);
  return requireFeedback(context, feedbackId);
}

/** Takes the step without the workflow, which is told of it. */
async function carryWithout(context: ServiceContext, feedbackId: number, commandId: string): Promise<void> {
  await context.pool.transaction(async (transaction) => {
    await carryOutIn(context, transaction, commandId);
    await insertOutbox(transaction, "review.start", String(feedbackId));
  });
}

async function requireFeedback({ pool }: ServiceContext, feedbackId: number): Promise<Feedback> {
  const feedback = await readFeedback(pool, feedbackId, null);
  if (feedback === null) throw new ApiError("feedback_not_found");
  return feedback;
}

function verbOfAsk(ask: ReviewAsk): ReviewVerb {
  if (ask.action !== "decide") return ask.action;
  const verb = verbOf(ask.decision);
  if (verb === null) throw new Error(`${ask.decision} is no decision`);
  return verb;
}

/** What the request itself gets wrong, before anything is kept of it. */
async function requireFitting(
  context: ServiceContext,
  feedback: Feedback,
  verb: ReviewVerb,
  correctionIds: readonly number[] | null,
  change: Fields | null,
): Promise<void> {
  const plan = planStep(feedback.corrections, verb, correctionIds);
  if (plan.kind === "unknown")
    throw new ApiError("correction_not_found", `The feedback has no correction ${plan.correctionId}.`);
  if (change !== null && verb !== "accept_with_changes")
    throw new ApiError("invalid_body", "`change` is for the decision `accepted_with_changes`.");
  if (plan.kind === "refused") return;
  for (const correction of feedback.corrections) {
    if (!plan.correctionIds.includes(correction.correctionId)) continue;
    try {
      if (verb === "accept") requireResolvable(correction);
      if (verb === "accept_with_changes")
        await requireNamed(context.pool, feedback, correction, resolveWith(correction, change));
    } catch (error) {
      if (error instanceof ReviewRefusal) throw new ApiError("invalid_body", error.message);
      throw error;
    }
  }
}
