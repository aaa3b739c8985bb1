import { teens, tens, units } from "../numberWords.ts";
import type { Word } from "./word.ts";

export const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

const values = new Map<string, number>([
  ...[...units, ...teens].map((word, value): [string, number] => [word, value]),
  ...tens.map((word, index): [string, number] => [word, 20 + index * 10]),
]);
// "a hundred" is 100 by itself.
values.set("hundred", 100);
const multiples = new Map([
  ["hundred", 100],
  ["thousand", 1000],
  ["million", 1_000_000],
]);
const spelledOrdinals = new Map(
  ordinals.map((word, index) => [`${index + 1}${["st", "nd", "rd"][index] ?? "th"}`, word]),
);

/**
 * Numbers as figures, ordinals up to ten as words: "twenty three" and "twenty-three" → "23", "five hundred" → "500", "7th" → "seventh". What does not
 * combine stays apart ("seven eleven" → "7", "11"), as it does in names.
 */
export function unifyNumbers(words: readonly Word[]): Word[] {
  const unified: Word[] = [];
  let index = 0;
  while (index < words.length) {
    const word = words[index];
    if (word === undefined) break;
    const value = values.get(word.norm);
    if (value === undefined) {
      unified.push(withOrdinal(word));
      index += 1;
      continue;
    }
    const number = readNumber(words, index, value);
    const last = words[number.end - 1] ?? word;
    unified.push({ ...word, norm: String(number.value), end: last.end, possessive: last.possessive });
    index = number.end;
  }
  return unified;
}

function withOrdinal(word: Word): Word {
  const ordinal = spelledOrdinals.get(word.norm);
  return ordinal === undefined ? word : { ...word, norm: ordinal };
}

/** Reads on from a first number word: tens take a unit, and hundreds and thousands multiply and take the rest. */
function readNumber(words: readonly Word[], from: number, first: number): { value: number; end: number } {
  let { value, end } = tensAndUnit(words, from, first);
  let total = 0;
  if (first === 100) return afterHundred(words, end);
  for (;;) {
    const multiple = joined(words, end) ? multiples.get(words[end]?.norm ?? "") : undefined;
    if (multiple === undefined) return { value: total + value, end };
    value *= multiple;
    end += 1;
    const next = words[end]?.norm === "and" && multiple === 100 ? end + 1 : end;
    const nextValue = joined(words, next) ? values.get(words[next]?.norm ?? "") : undefined;
    if (nextValue === undefined) return { value: total + value, end };
    total += value;
    ({ value, end } = tensAndUnit(words, next, nextValue));
  }
}

function afterHundred(words: readonly Word[], from: number): { value: number; end: number } {
  const next = joined(words, from) && words[from]?.norm === "and" ? from + 1 : from;
  const value = joined(words, next) ? values.get(words[next]?.norm ?? "") : undefined;
  if (value === undefined || value >= 100 || next === from) return { value: 100, end: from };
  const rest = tensAndUnit(words, next, value);
  return { value: 100 + rest.value, end: rest.end };
}

function tensAndUnit(words: readonly Word[], from: number, first: number): { value: number; end: number } {
  const unit = joined(words, from + 1) ? values.get(words[from + 1]?.norm ?? "") : undefined;
  const combines = first >= 20 && first % 10 === 0 && unit !== undefined && unit > 0 && unit < 10;
  return combines ? { value: first + unit, end: from + 2 } : { value: first, end: from + 1 };
}

function joined(words: readonly Word[], index: number): boolean {
  return words[index]?.gap === "none";
}
