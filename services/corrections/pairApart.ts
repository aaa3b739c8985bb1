import { setImmediate as nextTurn } from "node:timers/promises";
import { countBetween, type WordsToPair, wordsToPair } from "../../domain/corrections/alignment.ts";
import type { Correction, Pairs, Segment } from "../../domain/corrections/types.ts";
import { withThread } from "../threads/thread.ts";

/** To pair so many words takes some 30 ms at worst; a process that answers requests leaves more of them to a thread. */
const mostWordsHere = 800;

/** The words of the segments that stay in what a correction puts in their place; null where it leaves their texts, or that is quickly done. */
export async function pairApart(segments: readonly Segment[], correction: Correction): Promise<Pairs | null> {
  const texts = newTexts(correction);
  return texts === null ? null : pairTextsApart(segments, texts);
}

/** The words of the segments that stay in the texts that take their place, found while the process answers others; null where that is quickly done. */
export async function pairTextsApart(segments: readonly Segment[], texts: readonly string[]): Promise<Pairs | null> {
  if (segments.length === 0 || texts.length === 0) return null;
  const words: WordsToPair = { before: wordsToPair(segments.map(({ text }) => text)), after: wordsToPair(texts) };
  if (words.before.length + words.after.length > mostWordsHere) await nextTurn();
  if (countBetween(words) <= mostWordsHere) return null;
  return withThread<WordsToPair, Pairs, Pairs>(new URL("./pairingThread.ts", import.meta.url), async (thread) => {
    thread.post(words);
    return thread.answer();
  });
}

function newTexts(correction: Correction): readonly string[] | null {
  switch (correction.kind) {
    case "line_edit":
      return [correction.text];
    case "segment_rewrite":
      return correction.replacements.map(({ text }) => text);
    case "speaker_reassign":
    case "entity_tag":
    case "speaker_identify":
    case "add_person":
      return null;
  }
}
