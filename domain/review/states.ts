/** States of a correction, and of the feedback that it is part of (specification, "Feedback review status"). */
export const reviewStatuses = [
  "pending_review",
  "needs_information",
  "accepted",
  "accepted_with_changes",
  "rejected",
  "withdrawn",
  "applied",
  "reverted",
] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

/** Those in which somebody has still to do something about a feedback. */
export const openStatuses = [
  "pending_review",
  "needs_information",
  "accepted",
  "accepted_with_changes",
] as const satisfies readonly ReviewStatus[];

/** What people do to corrections. */
export const reviewVerbs = [
  "accept",
  "accept_with_changes",
  "reject",
  "request_information",
  "supply_information",
  "withdraw",
  "apply",
  "revert",
] as const;
export type ReviewVerb = (typeof reviewVerbs)[number];

/** How long a reviewer's note may be, in UTF-16 code units. */
export const maxNoteLength = 5000;

/** A reviewer's decisions, as callers name them: by the status that they lead to. */
export const reviewDecisions = ["accepted", "accepted_with_changes", "rejected"] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

const verbs: Record<ReviewDecision, ReviewVerb> = {
  accepted: "accept",
  accepted_with_changes: "accept_with_changes",
  rejected: "reject",
};

/** The verb of a decision; null for what is none. */
export function verbOf(decision: string | null): ReviewVerb | null {
  const known = reviewDecisions.find((each) => each === decision);
  return known === undefined ? null : verbs[known];
}

/** The transitions of decisions.md, "Community review"; anything else is refused. */
const transitions: Record<ReviewVerb, { from: readonly ReviewStatus[]; to: ReviewStatus }> = {
  accept: { from: ["pending_review"], to: "accepted" },
  accept_with_changes: { from: ["pending_review"], to: "accepted_with_changes" },
  reject: { from: ["pending_review", "needs_information"], to: "rejected" },
  request_information: { from: ["pending_review"], to: "needs_information" },
  supply_information: { from: ["needs_information"], to: "pending_review" },
  withdraw: { from: ["pending_review"], to: "withdrawn" },
  apply: { from: ["accepted", "accepted_with_changes", "reverted"], to: "applied" },
  revert: { from: ["applied"], to: "reverted" },
};

/** The status that a verb leads to. */
export function targetOf(verb: ReviewVerb): ReviewStatus {
  return transitions[verb].to;
}

export interface ReviewedCorrection {
  correctionId: number;
  status: ReviewStatus;
}

export type StepPlan =
  /** These move; none: it was done before. */
  | { kind: "moves"; correctionIds: number[] }
  | { kind: "unknown"; correctionId: number }
  | { kind: "refused"; reason: string };

/**
 * What a verb does to the corrections of a feedback. With `correctionIds` it is for these, and all of them must be able to move or be there
 * already; with null it is for those that can move. A repeat moves none and is no fault. Only a feedback that is `pending_review` as a whole
 * can be withdrawn.
 */
export function planStep(
  corrections: readonly ReviewedCorrection[],
  verb: ReviewVerb,
  correctionIds: readonly number[] | null,
): StepPlan {
  const { from, to } = transitions[verb];
  const unknown = correctionIds?.find((id) => !corrections.some(({ correctionId }) => correctionId === id));
  if (unknown !== undefined) return { kind: "unknown", correctionId: unknown };
  const meant = corrections.filter(({ correctionId }) => correctionIds?.includes(correctionId) ?? true);
  const whole = rollUp(corrections.map(({ status }) => status));
  const movable = meant.filter(({ status }) => from.includes(status));
  const stuck = meant.find(({ status }) => status !== to && !from.includes(status));
  const settled = meant.some(({ status }) => status === to);
  const isOpen = verb !== "withdraw" || whole === "pending_review" || (whole === to && movable.length === 0);
  if (!isOpen) return refused(`The feedback is ${whole}`, verb);
  if (stuck !== undefined && (correctionIds !== null || (movable.length === 0 && !settled)))
    return refused(`Correction ${stuck.correctionId} is ${stuck.status}`, verb);
  return { kind: "moves", correctionIds: movable.map(({ correctionId }) => correctionId) };
}

function refused(what: string, verb: ReviewVerb): StepPlan {
  const { from, to } = transitions[verb];
  return { kind: "refused", reason: `${what}; only what is ${from.join(" or ")} can become ${to}.` };
}

const rollupOrder: readonly ReviewStatus[] = [
  "needs_information",
  "pending_review",
  "accepted",
  "accepted_with_changes",
  "reverted",
  "applied",
  "rejected",
  "withdrawn",
];

/** The status of a feedback: the first of the order of decisions.md, "Community review", that one of its corrections has. */
export function rollUp(statuses: readonly ReviewStatus[]): ReviewStatus {
  return rollupOrder.find((status) => statuses.includes(status)) ?? "pending_review";
}

/** Whether nothing can happen to a feedback any more. What is applied can be reverted at any time. */
export function isOver(statuses: readonly ReviewStatus[]): boolean {
  return statuses.every((status) => status === "rejected" || status === "withdrawn");
}
