import { planStep, type ReviewedCorrection, type ReviewVerb } from "../../../domain/review/states.ts";

/** The corrections that a verb would move. */
export function movedBy<C extends ReviewedCorrection>(corrections: readonly C[], verb: ReviewVerb): readonly C[] {
  const plan = planStep(corrections, verb, null);
  return plan.kind === "moves"
    ? corrections.filter(({ correctionId }) => plan.correctionIds.includes(correctionId))
    : [];
}
