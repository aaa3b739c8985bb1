import { type Fields, type Feedback, insertFeedback, readFeedback } from "../../database/feedback.ts";
import { insertOutbox } from "../../database/outbox.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import { type FeedbackType, isIssueOf, type ItemKind, itemKindOf } from "../../domain/review/issues.ts";
import type { Caller } from "../context.ts";
import { requireChange, requireTargets } from "./readTargets.ts";

/** A correction as it was sent. */
export interface SubmittedCorrection {
  itemId: string;
  itemKind: ItemKind;
  issueType: string;
  reason: string | null;
  suggestedChange: Fields | null;
  notes: string | null;
  observedRank: number | null;
}

export interface Submission {
  type: FeedbackType;
  query: Fields;
  notes: string | null;
  corrections: readonly SubmittedCorrection[];
}

/**
 * Keeps a feedback and has its review started, in the caller's transaction; free. Throws `invalid_feedback_request` where it does not fit
 * its type, `invalid_body` for unknown fields of a change, and the not-found code of what does not exist or is another account's.
 */
export async function submitFeedback(
  transaction: Transaction,
  caller: Caller,
  submission: Submission,
): Promise<Feedback> {
  const { type, query } = submission;
  requireQuery(type, query);
  const corrections = submission.corrections.map((correction, n) => {
    const { itemKind, issueType, suggestedChange: change, observedRank } = correction;
    const at = `corrections.${n}`;
    if (itemKind !== itemKindOf(type))
      throw misfit(`\`${at}.item_kind\` of feedback of type \`${type}\` is \`${itemKindOf(type)}\`.`);
    if (!isIssueOf(itemKind, issueType))
      throw misfit(`\`${at}.issue_type\`: \`${issueType}\` is no issue of a ${itemKind}.`);
    if (type === "search" && observedRank === null)
      throw misfit(`\`${at}.observed_rank\` is required for feedback of type \`search\`: 1 for the first result.`);
    requireChange(
      { itemKind, issueType, change },
      { field: `${at}.suggested_change`, misfitCode: "invalid_feedback_request" },
    );
    return { ...correction, issueType };
  });
  const targets = corrections.map(({ suggestedChange, ...rest }, n) => ({
    ...rest,
    name: `\`corrections.${n}\``,
    change: suggestedChange,
  }));
  await requireTargets(transaction, caller.accountId, type, targets);
  const { accountId, keyId, requestId } = caller;
  const kept = { accountId, keyId, requestId, type, query, notes: submission.notes, corrections };
  const feedbackId = await insertFeedback(transaction, kept);
  await insertOutbox(transaction, "review.start", String(feedbackId));
  const feedback = await readFeedback(transaction, feedbackId, accountId);
  if (feedback === null) throw new Error("a feedback that was just kept is gone");
  return feedback;
}

const longestQuery = 20_000;

/** In characters, as of a search itself. */
const longestSearch = 200;

function requireQuery(type: FeedbackType, query: Fields): void {
  if (Object.keys(query).length === 0) throw misfit("`query` is empty; send the query that was run.");
  if (JSON.stringify(query).length > longestQuery)
    throw misfit(`\`query\` is longer than ${longestQuery} characters of JSON.`);
  const { q } = query;
  if (itemKindOf(type) === "result" && typeof q === "string" && Array.from(q).length > longestSearch)
    throw misfit(
      `\`query.q\` is longer than ${longestSearch} characters, and so was never searched for; send the query that was run.`,
    );
}

function misfit(message: string): ApiError {
  return new ApiError("invalid_feedback_request", message);
}
