import type { Transaction } from "../../database/pool.ts";
import type { JournalEntry } from "../../database/reviewRows.ts";
import { refusalOf } from "./refusal.ts";

/** What a step did to the rows; with a refusal, nothing. */
export interface Attempted {
  refusal: string | null;
  entries: readonly JournalEntry[];
}

/** Takes a step in the caller's transaction, which goes on where it is refused: that takes back what the step did, and only that. */
export async function attempt(
  transaction: Transaction,
  step: (savepoint: Transaction) => Promise<readonly JournalEntry[]>,
): Promise<Attempted> {
  try {
    return { refusal: null, entries: await transaction.transaction(step) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    return { refusal: refusal.message, entries: [] };
  }
}
