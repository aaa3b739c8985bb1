import { teens, tens, units } from "./numberWords.ts";

/** How a recognised text differs from what was said, in words. */
export interface WordErrors {
  substituted: number;
  deleted: number;
  inserted: number;
  /** Words of the reference. */
  total: number;
}

/** Word errors over words of the reference (0 where both are empty); can exceed 1. */
export function wordErrorRate(reference: string, recognised: string): number {
  const { substituted, deleted, inserted, total } = countWordErrors(reference, recognised);
  const errors = substituted + deleted + inserted;
  return total === 0 ? (errors === 0 ? 0 : 1) : errors / total;
}

/** Counts along the cheapest alignment (Levenshtein over `comparableWords`), each error of weight 1. */
export function countWordErrors(reference: string, recognised: string): WordErrors {
  const said = comparableWords(reference);
  const heard = comparableWords(recognised);
  const counts: WordErrors = { substituted: 0, deleted: 0, inserted: 0, total: said.length };
  const matches = alignWords(said, heard);
  counts.deleted = matches.filter((match) => match === null).length;
  for (const [index, match] of matches.entries())
    if (match !== null && heard[match] !== said[index]) counts.substituted += 1;
  counts.inserted = heard.length - (said.length - counts.deleted);
  return counts;
}

/**
 * For each word of `said`, the index of the word of `heard` that stands for it, null where none does: the alignment with the
 * fewest errors, substitutions preferred.
 */
export function alignWords(said: readonly string[], heard: readonly string[]): (number | null)[] {
  const width = heard.length + 1;
  const cost = new Uint32Array((said.length + 1) * width);
  const at = (row: number, column: number): number => cost[row * width + column] ?? 0;
  const swap = (row: number, column: number): number =>
    at(row - 1, column - 1) + (said[row - 1] === heard[column - 1] ? 0 : 1);
  for (let column = 1; column <= heard.length; column += 1) cost[column] = column;
  for (let row = 1; row <= said.length; row += 1) {
    cost[row * width] = row;
    for (let column = 1; column <= heard.length; column += 1) {
      cost[row * width + column] = Math.min(swap(row, column), at(row - 1, column) + 1, at(row, column - 1) + 1);
    }
  }
  const matches = Array.from({ length: said.length }, (): number | null => null);
  let row = said.length;
  let column = heard.length;
  while (row > 0 && column > 0) {
    if (at(row, column) === swap(row, column)) matches[(row -= 1)] = column -= 1;
    else if (at(row, column) === at(row - 1, column) + 1) row -= 1;
    else column -= 1;
  }
  return matches;
}

const digitsOf = new Map([
  ...units.map((word, index): [string, string] => [word, String(index)]),
  ...teens.map((word, index): [string, string] => [word, String(index + 10)]),
  ...tens.map((word, index): [string, string] => [word, String((index + 2) * 10)]),
]);

/**
 * The words that are compared: lower case, without punctuation and apostrophes, hyphens as spaces. Numbers count by their digits,
 * spelled or not: "extension 28", "twenty-eight" and "two eight" all give the words 2 and 8.
 */
export function comparableWords(text: string): string[] {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/['’]/gu, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return words.flatMap((word, index) => {
    const next = words[index + 1];
    const isTens = tens.includes(word) && next !== undefined && units.indexOf(next) > 0;
    const digits = isTens ? String(tens.indexOf(word) + 2) : (digitsOf.get(word) ?? word);
    return /^\d+$/.test(digits) ? digits.split("") : [digits];
  });
}
