import { type Correction, type Feedback, type Fields, readFeedback } from "../../database/feedback.ts";
import type { Transaction } from "../../database/pool.ts";
import { type JournalEntry, lockReviewedRows } from "../../database/reviewRows.ts";
import { ApiError } from "../../domain/errors.ts";
import { effectOf } from "../../domain/review/issues.ts";
import type { ServiceContext } from "../context.ts";
import { applyCorrection } from "./apply.ts";
import { attempt } from "./attempt.ts";
import { type Impact, lookInside, measureImpact, type MeasuredStep, type SeenInside } from "./impact.ts";
import { requireResolvable, resolveWith } from "./resolve.ts";
import { inOrderOfRevert, revertCorrection } from "./revert.ts";

export interface PreviewRequest {
  feedbackId: number;
  /** Null: all that the action could be for. */
  correctionIds: readonly number[] | null;
  action: "apply" | "revert";
  /** What they would be accepted with; null: as they stand. */
  change: Fields | null;
}

/** Carries what taking the step would change out of the transaction that it rolls back. */
class Previewed extends Error {
  override readonly name = "Previewed";
  readonly seen: SeenInside;
  constructor(seen: SeenInside) {
    super("previewed");
    this.seen = seen;
  }
}

/**
 * What applying or reverting would change, exactly: the step is taken and rolled back. Corrections need not be accepted yet. Throws
 * `feedback_not_found` and `correction_not_found`.
 */
export async function previewReview(context: ServiceContext, request: PreviewRequest): Promise<Impact> {
  const feedback = await readFeedback(context.pool, request.feedbackId, null);
  if (feedback === null) throw new ApiError("feedback_not_found");
  const corrections = meant(feedback, request);
  try {
    await context.pool.transaction(async (transaction) => {
      const steps: MeasuredStep[] = [];
      await lockReviewedRows(transaction);
      const inOrder = request.action === "revert" ? await inOrderOfRevert(transaction, corrections) : corrections;
      for (const correction of inOrder)
        steps.push(await tryStep(transaction, feedback, correction, request, context.clock()));
      throw new Previewed(await lookInside(transaction, steps));
    });
  } catch (error) {
    if (error instanceof Previewed) return measureImpact(context.pool, error.seen);
    throw error;
  }
  throw new Error("a preview must not commit");
}

function meant(feedback: Feedback, { correctionIds, action }: PreviewRequest): readonly Correction[] {
  const unknown = correctionIds?.find((id) => !feedback.corrections.some(({ correctionId }) => correctionId === id));
  if (unknown !== undefined) throw new ApiError("correction_not_found", `The feedback has no correction ${unknown}.`);
  if (correctionIds !== null)
    return feedback.corrections.filter(({ correctionId }) => correctionIds.includes(correctionId));
  const couldBe =
    action === "revert"
      ? ({ status }: Correction) => status === "applied"
      : ({ status }: Correction) => status !== "applied" && status !== "rejected" && status !== "withdrawn";
  return feedback.corrections.filter(couldBe);
}

async function tryStep(
  transaction: Transaction,
  feedback: Feedback,
  correction: Correction,
  { action, change }: PreviewRequest,
  now: Date,
): Promise<MeasuredStep> {
  const { correctionId } = correction;
  let { resolution } = correction;
  const { refusal, entries } = await attempt(transaction, async (step): Promise<readonly JournalEntry[]> => {
    if (action === "revert") return revertCorrection(step, correctionId);
    if (change !== null) resolution = resolveWith(correction, change);
    if (resolution === null) requireResolvable(correction);
    return applyCorrection(step, feedback, { ...correction, resolution }, now);
  });
  const seen = action === "revert" ? entries.map(turned) : entries;
  return { correctionId, effect: effectAs(correction, resolution), refusal, entries: seen };
}

function effectAs({ itemKind, issueType }: Correction, resolution: Correction["resolution"]) {
  return effectOf(itemKind, resolution?.issueType ?? issueType);
}

/** What reverting does is what applying did, the other way round. */
function turned(entry: JournalEntry): JournalEntry {
  return { ...entry, before: entry.after, after: entry.before };
}
