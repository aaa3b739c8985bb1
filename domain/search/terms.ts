import { type EntityGroup, entityGroups } from "../evidence.ts";

/**
 * The numbers by which the database finds words and names. Small ones are traits of a name (0006_names.sql writes the first three); those of
 * words are hashes. Two words of one hash would only cost a candidate that scoring throws out.
 */
const typeTrait = 16;
const commercialTrait = { true: 24, false: 25 };
const lengthTrait = 32;
const hashBit = 0x40000000;
/** Of one name that many words are found. */
const maxNameWords = 8;
/** Longer prefixes are looked up in the dictionary. */
export const maxPrefixTermLetters = 4;
/** Longer words are found as they are written only. */
const maxEditedLetters = 40;
/** From this length on, words two edits apart share a key too. */
export const minTwoEditLetters = 8;

/** FNV-1a over UTF-16 (Fowler, Noll, Vo), in the range that hashes have here. */
function hash(kind: string, text: string): number {
  let value = Math.imul(0x811c9dc5 ^ kind.charCodeAt(0), 0x01000193);
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value | hashBit;
}

export const wordTerm = (word: string): number => hash("w", word);
/** Of names with a word that begins so; for at most `maxPrefixTermLetters` letters. */
export const prefixTerm = (prefix: string): number => hash("p", prefix);
/** Of names with this word and another one that begins so: far fewer than have a common word. */
export const pairTerm = (word: string, initial: string): number => hash("q", `${initial}${word}`);
/** Of the name whose words, written together, are this. */
export const joinedTerm = (letters: string): number => hash("j", letters);
/** Of names whose canonical entity is of the group. */
export const typeTerm = (group: EntityGroup): number => typeTrait + entityGroups.indexOf(group);
/** Of names whose canonical entity has commercial rows, or none. */
export const commercialTerm = (has: boolean): number => commercialTrait[`${has}`];
/** Of names of so many words. */
export const lengthTerm = (words: number): number => lengthTrait + Math.min(words, maxNameWords);

/** The words of a folded name. */
export function wordsOf(key: string): string[] {
  return key.split(" ");
}

/** What a folded name is found by, without the traits of its entity. The first is its number of words. */
export function nameTerms(key: string): number[] {
  const words = wordsOf(key);
  const terms = new Set<number>([joinedTerm(words.join(""))]);
  const found = words.slice(0, maxNameWords);
  for (const [index, word] of found.entries()) {
    terms.add(wordTerm(word));
    for (const [place, other] of found.entries()) if (place !== index) terms.add(pairTerm(word, other.slice(0, 1)));
    for (let letters = 1; letters <= Math.min(maxPrefixTermLetters, word.length); letters += 1)
      terms.add(prefixTerm(word.slice(0, letters)));
  }
  return [lengthTerm(words.length), ...terms];
}

/**
 * Keys of a word such that any two words one edit apart have one in common: the word itself and what is left of it without one letter
 * (symmetric deletion: W. Garbe, SymSpell, 2012). Long words also have those of their halves: of two edits, one half sees at most one.
 */
export function wordKeys(word: string): number[] {
  const keys = new Set(deletionKeys("w", word));
  if (word.length >= minTwoEditLetters) {
    const half = Math.floor(word.length / 2);
    for (const key of deletionKeys("l", word.slice(0, half))) keys.add(key);
    for (const key of deletionKeys("r", word.slice(half))) keys.add(key);
  }
  return [...keys];
}

/** Keys that words at most one edit from this one have. */
export function nearKeys(word: string): number[] {
  return deletionKeys("w", word);
}

/** Keys that words at most two edits from this one have, of those with `minTwoEditLetters` letters or more. */
export function distantKeys(word: string): number[] {
  const keys = new Set<number>();
  for (let length = Math.max(minTwoEditLetters, word.length - 2); length <= word.length + 2; length += 1) {
    const half = Math.floor(length / 2);
    for (let letters = half - 1; letters <= half + 1; letters += 1)
      for (const key of deletionKeys("l", word.slice(0, letters))) keys.add(key);
    for (let letters = length - half - 1; letters <= length - half + 1; letters += 1)
      for (const key of deletionKeys("r", word.slice(-letters))) keys.add(key);
  }
  return [...keys];
}

function deletionKeys(kind: string, word: string): number[] {
  const keys = [hash(kind, word)];
  if (word.length > 1 && word.length <= maxEditedLetters)
    for (let index = 0; index < word.length; index += 1)
      keys.push(hash(kind, word.slice(0, index) + word.slice(index + 1)));
  return keys;
}
