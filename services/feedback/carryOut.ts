import { type Correction, type Feedback, lockFeedback, moveCorrections, snapshotOf } from "../../database/feedback.ts";
import type { Transaction } from "../../database/pool.ts";
import { lockReviewedRows } from "../../database/reviewRows.ts";
import { endReviewCommand, lockReviewCommand, type ReviewCommand } from "../../database/reviewCommands.ts";
import type { CarriedStep } from "../../domain/review/carrying.ts";
import { planStep, type ReviewStatus, type ReviewVerb, rollUp, targetOf } from "../../domain/review/states.ts";
import type { ServiceContext } from "../context.ts";
import { requireApplicable } from "./applicable.ts";
import { applyCorrection } from "./apply.ts";
import { isSame } from "./journal.ts";
import { requireResolvable, resolveWith } from "./resolve.ts";
import { refusalOf, ReviewRefusal } from "./refusal.ts";
import { inOrderOfRevert, revertCorrection } from "./revert.ts";

/**
 * Carries out what somebody asked to be done with a feedback, once for the command: the lock on the feedback lets one decision through at a
 * time, and all of a step commits or none. What is refused changes nothing and says why in the command.
 */
export async function carryOut(context: ServiceContext, commandId: string): Promise<CarriedStep> {
  return context.pool.transaction((transaction) => carryOutIn(context, transaction, commandId));
}

/** The same, in the caller's transaction. */
export async function carryOutIn(
  context: ServiceContext,
  transaction: Transaction,
  commandId: string,
): Promise<CarriedStep & { refusal: string | null }> {
  const command = await lockReviewCommand(transaction, commandId);
  if (command === null) throw new Error(`there is no review command ${commandId}`);
  const feedback = await lockFeedback(transaction, command.feedbackId);
  if (feedback === null) throw new Error(`there is no feedback ${command.feedbackId}`);
  if (command.outcome !== null)
    return { outcome: command.outcome, refusal: command.refusal, snapshot: snapshotOf(feedback) };
  const end = await attempt(context, transaction, feedback, command);
  await endReviewCommand(transaction, commandId, end);
  const after = await lockFeedback(transaction, command.feedbackId);
  return { outcome: end.outcome, refusal: end.refusal, snapshot: snapshotOf(after ?? feedback) };
}

interface CommandEnd {
  outcome: CarriedStep["outcome"];
  refusal: string | null;
  movedIds: readonly number[];
}

async function attempt(
  context: ServiceContext,
  transaction: Transaction,
  feedback: Feedback,
  command: ReviewCommand,
): Promise<CommandEnd> {
  try {
    // A step that is refused half-way takes back what it did, and only that.
    const movedIds = await transaction.transaction((step) => takeStep(step, feedback, command, context.clock()));
    return { outcome: movedIds.length === 0 ? "repeated" : "done", refusal: null, movedIds };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    return { outcome: "refused", refusal: refusal.message, movedIds: [] };
  }
}

async function takeStep(
  transaction: Transaction,
  feedback: Feedback,
  command: ReviewCommand,
  now: Date,
): Promise<readonly number[]> {
  const { verb, correctionIds, note, change } = command;
  const plan = planStep(feedback.corrections, verb, correctionIds);
  if (plan.kind === "unknown") throw new ReviewRefusal(`The feedback has no correction ${plan.correctionId}.`);
  if (plan.kind === "refused") throw new ReviewRefusal(plan.reason);
  const isMoved = new Set(plan.correctionIds);
  const moved = feedback.corrections.filter(({ correctionId }) => isMoved.has(correctionId));
  if (moved.length === 0) {
    requireSameDecision(feedback, command);
    return [];
  }
  if (verb === "apply" || verb === "revert") await lockReviewedRows(transaction);
  const inOrder = verb === "revert" ? await inOrderOfRevert(transaction, moved) : moved;
  for (const correction of inOrder) {
    try {
      await takeCorrection(transaction, feedback, correction, verb, now);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null || moved.length === 1) throw error;
      throw new ReviewRefusal(`Correction ${correction.correctionId}: ${refusal.message}`);
    }
  }
  const decided =
    verb === "accept_with_changes" ? moved.map((each) => ({ ...each, resolution: resolveWith(each, change) })) : moved;
  if (verb === "accept" || verb === "accept_with_changes") await requireApplicable(transaction, feedback, decided, now);
  const status = targetOf(verb);
  const statuses = feedback.corrections.map((each): ReviewStatus =>
    isMoved.has(each.correctionId) ? status : each.status,
  );
  const saysWhy = verb !== "supply_information" && verb !== "apply" && verb !== "revert";
  const common = { status, ...(saysWhy && { resolutionNote: note }) };
  const parts =
    verb === "accept_with_changes"
      ? decided.map(({ correctionId, resolution }) => ({
          correctionIds: [correctionId],
          resolution,
        }))
      : [{ correctionIds: plan.correctionIds }];
  for (const part of parts)
    await moveCorrections(transaction, feedback.feedbackId, { ...common, ...part }, rollUp(statuses));
  return plan.correctionIds;
}

async function takeCorrection(
  transaction: Transaction,
  feedback: Feedback,
  correction: Correction,
  verb: ReviewVerb,
  now: Date,
): Promise<void> {
  switch (verb) {
    case "accept":
      return requireResolvable(correction);
    case "apply":
      await applyCorrection(transaction, feedback, correction, now);
      return;
    case "revert":
      await revertCorrection(transaction, correction.correctionId);
      return;
    case "accept_with_changes":
    case "reject":
    case "request_information":
    case "supply_information":
    case "withdraw":
  }
}

/** A repeat is only one where it says the same: other changes are another decision. */
function requireSameDecision(feedback: Feedback, { verb, correctionIds, change }: ReviewCommand): void {
  if (verb !== "accept_with_changes") return;
  for (const correction of feedback.corrections) {
    if (correction.status !== targetOf(verb) || correctionIds?.includes(correction.correctionId) === false) continue;
    if (!isSame(correction.resolution, resolveWith(correction, change)))
      throw new ReviewRefusal(`Correction ${correction.correctionId} was accepted with other changes before.`);
  }
}
