import type { Correction, Fields } from "../../../database/feedback.ts";
import { findEntityById } from "../../../database/entityMembers.ts";
import type { Transaction } from "../../../database/pool.ts";
import { readVideo } from "../../../database/videos.ts";
import { entityId as publicEntityId } from "../../../domain/entities.ts";
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

/**
 * Throws a refusal where the entity that a correction is about does not read as what it did when that was submitted: it would change another
 * one than whom somebody saw the error in.
 */
export async function requireSameEntity({ transaction, correction }: Pick<Effect, "transaction" | "correction">) {
  const { itemId, itemCanonicalId, status } = correction;
  if (itemCanonicalId === null) return;
  const { entity } = await entityOf({ transaction }, numberOf(itemId));
  if (entity.numericId === itemCanonicalId) return;
  const isUndecided = status === "pending_review" || status === "needs_information";
  const reject = isUndecided ? "reject this, or " : "";
  const was = publicEntityId(itemCanonicalId);
  const is = publicEntityId(entity.numericId);
  throw new ReviewRefusal(
    is === itemId
      ? `${itemId} read as ${was} when this was submitted, and does not any more: ${reject}merge the two again first.`
      : `${was} was merged since this was submitted, and reads as ${is}, which this would change instead: ${reject}revert that merge first.`,
  );
}

/** Throws a refusal for a moment that is after the end of the video; of one whose length nobody knows, any can be. */
export async function requireInVideo(
  { transaction }: Pick<Effect, "transaction">,
  videoId: string,
  { end_seconds: end }: { end_seconds: number },
): Promise<void> {
  const length = (await readVideo(transaction, videoId))?.durationSeconds ?? null;
  // Lengths are rounded, and so are moments.
  if (length !== null && end > length + 1)
    throw new ReviewRefusal(`The video ends at ${length} seconds, before \`end_seconds\`; say where in it that is.`);
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
