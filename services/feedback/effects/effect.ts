import type { Correction, Fields } from "../../../database/feedback.ts";
import { findEntityById } from "../../../database/entityMembers.ts";
import type { Transaction } from "../../../database/pool.ts";
import type { IssueOf, ItemKind } from "../../../domain/review/issues.ts";
import type { Journal } from "../journal.ts";
import { ReviewRefusal } from "../refusal.ts";

/** A correction on its way into the index, in the transaction that applies it. */
export interface Effect<K extends ItemKind = ItemKind> {
  transaction: Transaction;
  journal: Journal;
  correction: Correction;
  /** How it is resolved: as it was suggested, or as the reviewer says. */
  issueType: IssueOf<K>;
  change: Fields | null;
  /** Of the feedback. */
  query: Fields;
  now: Date;
}

/** The number in a public id. */
export function numberOf(publicId: string): number {
  return Number(publicId.slice(4));
}

/** The canonical entity of a number and all that reads as it. Throws a refusal where there is none. */
export async function entityOf({ transaction }: Pick<Effect, "transaction">, entityId: number) {
  const found = await findEntityById(transaction, entityId);
  if (found === null) throw new ReviewRefusal("The entity that it names does not exist.");
  return found;
}

/** Records what changes no read (`effectOf` says "record"): what ranking is judged by, and what is to be looked into. */
export async function recordFinding({ journal, correction, issueType, change, query, now }: Effect): Promise<void> {
  const details = { ...change, query, observed_rank: correction.observedRank };
  await journal.put(
    "review_finding",
    { correction_id: correction.correctionId },
    { issue_type: issueType, item_id: correction.itemId, details, recorded_at: now.toISOString() },
  );
}
