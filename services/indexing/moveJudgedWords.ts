import { lockEvidence } from "../../database/detectedEvidence.ts";
import { forgetUnjudged, keepMove, listJudgedWords, moveJudgedWords, takeMoves } from "../../database/judgedWords.ts";
import type { Transaction } from "../../database/pool.ts";
import type { Alignment } from "../../domain/corrections/alignment.ts";
import type { Segment } from "../../domain/corrections/types.ts";
import { carryJudged } from "../../domain/review/judgedWords.ts";

/** An entry of the log that changes the text. */
export interface TextEntry {
  videoId: string;
  seq: number;
  /** The entry that it takes back; null: it is a correction of its own. */
  withdrawsSeq: number | null;
}

/**
 * Lets what reviewers settled of mentions follow the text, in the caller's transaction: to where the words stand now, and out of the index
 * where they are said no more. What is taken back puts them exactly where they were.
 */
export async function moveAllJudgedWords(
  transaction: Transaction,
  entry: TextEntry,
  { alignment, after }: { alignment: Alignment; after: readonly Segment[] },
): Promise<void> {
  const { videoId, withdrawsSeq } = entry;
  await lockEvidence(transaction, videoId);
  const restored = withdrawsSeq === null ? [] : await takeMoves(transaction, { videoId, seq: withdrawsSeq });
  const restoredIds = new Set(restored.map(({ mentionId }) => mentionId));
  const afterIds = after.map(({ id }) => id);
  const beforeIds = alignment.before.map(({ id }) => id);
  for (const words of await listJudgedWords(transaction, videoId, beforeIds)) {
    if (restoredIds.has(words.mentionId)) continue;
    const place = carryJudged(alignment, afterIds, words);
    if (withdrawsSeq === null) await keepMove(transaction, entry, words);
    await moveJudgedWords(transaction, words.mentionId, place);
  }
  for (const { mentionId, place } of restored) await moveJudgedWords(transaction, mentionId, place);
  await forgetUnjudged(transaction, [...restoredIds]);
}
