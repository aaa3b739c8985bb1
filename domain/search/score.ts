import { editDistance } from "./editDistance.ts";
import { editsAllowed } from "./plan.ts";
import { wordsOf } from "./terms.ts";

/** Share that is left of a score where the name has further words, where words stand in another order, and where words had to be joined or split. */
const share = { furtherWords: 0.85, otherOrder: 0.97, otherReading: 0.97 };
/** Of a word of which only the beginning was typed. */
const prefixSimilarity = 0.75;
/** Names of a lower score are not found. */
export const minScore = 0.2;
/** A best name of such a score makes a looser search needless. */
export const goodScore = 0.6;

/**
 * A score from 0 to 1 for folded names: how well they fit a query. 1 is the same words in the same order; an edit costs its share of the
 * letters. `readings` are the ways to read the query as words, as typed first; its last word may be the beginning of a longer one.
 */
export function createScorer(readings: readonly (readonly string[])[]): (key: string) => number {
  const whole = readings[0]?.join(" ") ?? "";
  const scorers = readings.map((words, index) => {
    const score = createReadingScorer(words);
    const weight = index === 0 ? 1 : share.otherReading;
    return (names: readonly string[]) => weight * score(names);
  });
  return (key) => {
    if (key === whole) return 1;
    const words = wordsOf(key);
    let best = 0;
    for (const score of scorers) best = Math.max(best, score(words));
    // As a whole, a space is a letter like others: put in, left out, or taken for another.
    const edits = editDistance(whole, key, 2);
    if (edits <= 2) best = Math.max(best, 1 - edits / Math.max(whole.length, key.length));
    return Math.round(best * 10_000) / 10_000;
  };
}

function createReadingScorer(words: readonly string[]): (names: readonly string[]) => number {
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  const similarities = words.map((word, index) => remembered(word, index === words.length - 1));
  return (names) => {
    const taken = new Set<number>();
    let [matched, lastPlace, inOrder] = [0, -1, true];
    for (const [index, similarity] of similarities.entries()) {
      let [best, bestPlace] = [0, -1];
      for (const [place, name] of names.entries()) {
        if (taken.has(place)) continue;
        const found = similarity(name);
        if (found > best) [best, bestPlace] = [found, place];
      }
      if (bestPlace < 0) continue;
      taken.add(bestPlace);
      if (bestPlace < lastPlace) inOrder = false;
      lastPlace = bestPlace;
      matched += best * (words[index]?.length ?? 0);
    }
    return (
      (matched / Math.max(letters, 1)) *
      (taken.size < names.length ? share.furtherWords : 1) *
      (inOrder ? 1 : share.otherOrder)
    );
  };
}

/** The similarity of a name's word to a word of the query, computed once for each. */
function remembered(word: string, isLast: boolean): (name: string) => number {
  const known = new Map<string, number>();
  const allowed = editsAllowed(word);
  return (name) => {
    let similarity = known.get(name);
    if (similarity === undefined) {
      const edits = editDistance(word, name, allowed);
      similarity = edits <= allowed ? 1 - edits / Math.max(word.length, name.length) : 0;
      if (isLast && name.startsWith(word)) similarity = Math.max(similarity, prefixSimilarity);
      known.set(name, similarity);
    }
    return similarity;
  };
}
