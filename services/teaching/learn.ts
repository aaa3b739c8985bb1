import type { Transaction } from "../../database/pool.ts";
import { offerName, readAllNamesOf } from "../../database/taughtNames.ts";
import type { Change, Correction } from "../../domain/corrections/types.ts";
import { isNameAlready, type NamedWords, wordingsTaught } from "../../domain/teaching/learn.ts";
import { wordsKey } from "../../domain/teaching/sameWords.ts";

/** A correction that is made, and what the segments that it changed name now. */
export interface MadeCorrection {
  correctionId: string;
  correction: Correction;
  change: Change;
  named: readonly NamedWords[];
}

/** Offers reviewers what a correction teaches of names, in its transaction: as a rule nothing, which costs no query. */
export async function learnNames(
  transaction: Transaction,
  { correctionId, correction, change, named }: MadeCorrection,
): Promise<void> {
  const taught = wordingsTaught(correction, change, named);
  if (taught.length === 0) return;
  const names = await readAllNamesOf(transaction, [...new Set(taught.map(({ entityId }) => entityId))]);
  const offers = taught
    .filter(({ entityId, wrongWords }) => !isNameAlready(wrongWords, names.get(entityId) ?? []))
    .map(({ entityId, wrongWords, rightWords }) => ({
      entityId,
      wrongWords,
      rightWords,
      wrongKey: wordsKey(wrongWords),
      rightKey: rightWords === null ? "" : wordsKey(rightWords),
    }));
  // In one order, so that two corrections that teach the same names never wait for each other.
  offers.sort((a, b) => a.entityId - b.entityId || compare(a.wrongKey, b.wrongKey) || compare(a.rightKey, b.rightKey));
  for (const offer of offers) await offerName(transaction, offer, correctionId);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
