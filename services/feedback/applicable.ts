import type { Correction, Feedback } from "../../database/feedback.ts";
import type { Transaction } from "../../database/pool.ts";
import { lockReviewedRows } from "../../database/reviewRows.ts";
import { effectOf } from "../../domain/review/issues.ts";
import { applyCorrection, resolutionOf } from "./apply.ts";
import { attempt } from "./attempt.ts";
import { ReviewRefusal } from "./refusal.ts";

/** Takes what was tried out of the transaction again. */
class TriedOut extends Error {
  override readonly name = "TriedOut";
}

/**
 * Makes sure that corrections that are about to be accepted can be applied: they are, in their order, with those of the feedback that are
 * accepted already, and all of it is rolled back. What only records something always can. Throws a refusal with the reason where one
 * cannot, as what is accepted can only be applied.
 */
export async function requireApplicable(
  transaction: Transaction,
  feedback: Feedback,
  decided: readonly Correction[],
  now: Date,
): Promise<void> {
  const byId = new Map(decided.filter(changesReads).map((correction) => [correction.correctionId, correction]));
  if (byId.size === 0) return;
  let refusal: ReviewRefusal | null = null;
  try {
    await transaction.transaction(async (trial) => {
      await lockReviewedRows(trial);
      refusal = await tryInOrder(trial, feedback, byId, now);
      throw new TriedOut();
    });
  } catch (error) {
    if (!(error instanceof TriedOut)) throw error;
  }
  if (refusal !== null) throw refusal;
}

async function tryInOrder(
  trial: Transaction,
  feedback: Feedback,
  decided: ReadonlyMap<number, Correction>,
  now: Date,
): Promise<ReviewRefusal | null> {
  const before: number[] = [];
  for (const each of feedback.corrections) {
    const correction = decided.get(each.correctionId) ?? (isAccepted(each) ? each : null);
    if (correction === null) continue;
    const { refusal } = await attempt(trial, (step) => applyCorrection(step, feedback, correction, now));
    const isDecided = decided.has(each.correctionId);
    if (refusal === null) before.push(...(isDecided ? [] : [each.correctionId]));
    else if (isDecided) return refusalOf(each, refusal, decided.size, before);
  }
  return null;
}

function refusalOf(
  { correctionId }: Correction,
  reason: string,
  decided: number,
  before: readonly number[],
): ReviewRefusal {
  const whose = decided === 1 ? "" : `Correction ${correctionId}: `;
  const when = before.length === 0 ? "" : `After ${before.join(", ")}, accepted already: `;
  return new ReviewRefusal(`${whose}${when}${reason} Reject it, or accept it with changes that fit.`);
}

function isAccepted({ status }: Correction): boolean {
  return status === "accepted" || status === "accepted_with_changes";
}

function changesReads(correction: Correction): boolean {
  return effectOf(correction.itemKind, resolutionOf(correction).issueType) === "reads";
}
