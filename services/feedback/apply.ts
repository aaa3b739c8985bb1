import type { Correction, Feedback } from "../../database/feedback.ts";
import type { Transaction } from "../../database/pool.ts";
import { findChangeFault } from "../../domain/review/changes.ts";
import { isIssueOf, type ItemKind } from "../../domain/review/issues.ts";
import type { JournalEntry } from "../../database/reviewRows.ts";
import { applyToAlert } from "./effects/alerts.ts";
import { type Effect, requireSameEntity } from "./effects/effect.ts";
import { applyToEntity } from "./effects/entities.ts";
import { applyToRecommendation } from "./effects/recommendations.ts";
import { applyToResult } from "./effects/results.ts";
import { applyToSponsor } from "./effects/sponsors.ts";
import { applyToAppearance, applyToMention } from "./effects/spoken.ts";
import { openJournal } from "./journal.ts";
import { ReviewRefusal } from "./refusal.ts";

/**
 * Makes a correction live, in the caller's transaction, and keeps what was there; returns what changed. No alert fires by it. Throws
 * `ReviewRefusal` where the index is not what the correction is about any more, or it says what cannot be.
 */
export async function applyCorrection(
  transaction: Transaction,
  feedback: Feedback,
  correction: Correction,
  now: Date,
): Promise<readonly JournalEntry[]> {
  const journal = openJournal(transaction, correction.correctionId);
  const { issueType, change } = resolutionOf(correction);
  // What was submitted by an older release may break a rule that came later.
  const fault = findChangeFault(correction.itemKind, issueType, change);
  if (fault !== null) throw new ReviewRefusal(`What it says is right instead does not fit: ${fault.message}`);
  await requireSameEntity({ transaction, correction });
  await perform({ transaction, journal, correction, issueType, change, query: feedback.query, now });
  return journal.entries;
}

/** How a correction is resolved: as a reviewer said, else as it was suggested. */
export function resolutionOf({ resolution, issueType, suggestedChange }: Correction) {
  return resolution ?? { issueType, change: suggestedChange };
}

function perform(effect: Effect): Promise<void> {
  switch (effect.correction.itemKind) {
    case "recommendation":
      return applyToRecommendation(about("recommendation", effect));
    case "sponsor":
      return applyToSponsor(about("sponsor", effect));
    case "mention":
      return applyToMention(about("mention", effect));
    case "appearance":
      return applyToAppearance(about("appearance", effect));
    case "entity":
    case "channel":
      return applyToEntity(about("entity", effect));
    case "result":
      return applyToResult(about("result", effect));
    case "alert":
      return applyToAlert(about("alert", effect));
  }
}

function about<K extends ItemKind>(kind: K, { issueType, ...effect }: Effect): Effect<K> {
  if (!isIssueOf(kind, issueType)) throw new Error(`${issueType} is no issue of a ${kind}`);
  return { ...effect, issueType };
}
