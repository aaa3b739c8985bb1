import type { Correction, Feedback, Fields } from "../../database/feedback.ts";
import type { Queryable } from "../../database/pool.ts";
import { findChangeFault, needsNoChange } from "../../domain/review/changes.ts";
import { type IssueType, isIssueOf } from "../../domain/review/issues.ts";
import { requireTargets } from "./readTargets.ts";
import { ReviewRefusal } from "./refusal.ts";

/** Throws a refusal for a correction that cannot be accepted as it is, since it does not say what is right instead. */
export function requireResolvable({ correctionId, itemKind, issueType, suggestedChange }: Correction): void {
  if (suggestedChange === null && !needsNoChange(itemKind, issueType))
    throw new ReviewRefusal(
      `Correction ${correctionId} does not say what is right instead; accept it with changes that do.`,
    );
}

/**
 * How a reviewer resolves a correction: `change` as `suggested_change` would be, with an `issue_type` of the same kind of item where it is
 * another one. Throws a refusal where it does not fit.
 */
export function resolveWith(
  { correctionId, itemKind, issueType: suggested }: Correction,
  given: Fields | null,
): { issueType: IssueType; change: Fields | null } {
  const { issue_type: issue = suggested, ...fields } = given ?? {};
  if (typeof issue !== "string" || !isIssueOf(itemKind, issue))
    throw new ReviewRefusal(`\`change.issue_type\` of correction ${correctionId} is no issue of a ${itemKind}.`);
  const change = Object.keys(fields).length === 0 ? null : fields;
  if (change === null && (issue === suggested || !needsNoChange(itemKind, issue)))
    throw new ReviewRefusal(`Send the \`change\` that correction ${correctionId} is accepted with.`);
  const fault = findChangeFault(itemKind, issue, change);
  if (fault !== null)
    throw new ReviewRefusal(`The \`change\` does not fit correction ${correctionId}: ${fault.message}`);
  return { issueType: issue, change };
}

/** Throws the not-found code of what a change names and does not exist. */
export async function requireNamed(
  db: Queryable,
  feedback: Feedback,
  { correctionId, itemKind, itemId }: Correction,
  { issueType, change }: { issueType: IssueType; change: Fields | null },
): Promise<void> {
  const name = `Correction ${correctionId}`;
  await requireTargets(db, feedback.accountId, feedback.type, [{ name, itemKind, itemId, issueType, change }]);
}
