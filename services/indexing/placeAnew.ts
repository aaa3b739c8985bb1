import { listTextPlaces, movePlace } from "../../database/textPlaces.ts";
import type { Transaction } from "../../database/pool.ts";
import { placeAnew } from "../../domain/review/placeAnew.ts";

/**
 * Brings mentions that stay as they are, whatever detection finds, to where their words stand in the transcript by now, in the caller's
 * transaction. Those whose words are said there no more keep their time and lose their place in the text.
 */
export async function placeMentionsAnew(transaction: Transaction, mentionIds: readonly number[]): Promise<void> {
  for (const { mentionId, words, place, text } of await listTextPlaces(transaction, mentionIds)) {
    const found = text === null ? null : placeAnew(text, place, words);
    if (found?.charStart !== place.charStart) await movePlace(transaction, mentionId, found);
  }
}
