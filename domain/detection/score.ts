import { entityGroup } from "../evidence.ts";
import type { Candidate, Option } from "./candidates.ts";
import { commonnessOf, isCommon } from "./commonWords.ts";
import {
  companyNouns,
  companyVerbs,
  demonstratives,
  indefinite,
  kin,
  motion,
  placing,
  possessives,
  pronouns,
  relating,
  titles,
  topicalHits,
} from "./contextWords.ts";
import type { Speech, SpokenWord } from "./speech.ts";

/** How much the words themselves look like a name, in log odds: ordinary words must be shown to be one, other words need not. */
export function nameLikeness(speech: Speech, candidate: Candidate, option: Option): number {
  const words = speech.words.slice(candidate.first, candidate.end);
  const isOrdinary = words.every((word) => isCommon(word.norm));
  const likeness = isOrdinary ? ordinaryLikeness(speech, option, words) : rareLikeness(speech, words);
  return (
    likeness +
    surroundings(speech, candidate, option, isOrdinary) -
    (candidate.form === "joined" && isOrdinary ? joinedPenalty(words) : 0)
  );
}

/** "in sight" is hardly ever "Insight". */
function joinedPenalty(words: readonly SpokenWord[]): number {
  return words.some((word) => commonnessOf(word.norm) === "function") ? 1.6 : 0.8;
}

function rareLikeness({ hasCapitals }: Speech, words: readonly SpokenWord[]): number {
  const isKnownWord = words.every((word) => commonnessOf(word.norm) !== "none");
  const base = words.length > 1 ? 3.5 : isKnownWord ? 1.6 : 2.6;
  if (!hasCapitals) return base;
  return base + (words.some((word) => word.capitals !== "none") ? 1 : words.length > 1 ? -0.3 : -1);
}

function ordinaryLikeness({ hasCapitals }: Speech, option: Option, words: readonly SpokenWord[]): number {
  const isSingle = words.length === 1;
  const isFunction = words.every((word) => commonnessOf(word.norm) === "function");
  const base = isFunction ? -2.5 : isSingle ? -1.4 : 0.9;
  // "inflation", "climate change": a subject that is not a proper name is written small.
  const isSubject = entityGroup(option.profile.type) === "topic" && !option.isAlias;
  if (isSubject && option.profile.name === option.profile.name.toLowerCase()) return 2.6;
  if (!hasCapitals) return base + (isSubject ? 1 : 0);
  const content = words.filter((word) => commonnessOf(word.norm) !== "function");
  const isCapitalised = (content.length > 0 ? content : words).every(
    (word) => word.capitals !== "none" || /^\d/.test(word.norm),
  );
  if (!isCapitalised) return base - (isSubject ? 0.4 : isSingle ? 3 : 1.6);
  // Where a sentence begins, a capital says nothing of one word.
  if (isSingle && words[0]?.gap === "stop") return base + 0.3;
  return base + (isSingle ? 3.2 : 3);
}

/** What stands right before and after. */
function surroundings(speech: Speech, { first, end, form }: Candidate, option: Option, isOrdinary: boolean): number {
  const isSingle = end - first === 1;
  const word = speech.words[first];
  const before = word?.gap === "stop" ? undefined : speech.words[first - 1];
  const after = speech.words[end]?.gap === "stop" ? undefined : speech.words[end];
  const isMarked = speech.hasCapitals && word !== undefined && word.capitals !== "none" && word.gap !== "stop";
  // What follows a slash is a page, not a name: "name.com/summer".
  let score = word?.before === "/" || before?.norm === "slash" ? -3 : 0;
  if (isSingle && isOrdinary) {
    // A capital within the sentence has said most of it already.
    const weight = isMarked ? 0.3 : 1;
    const ofBefore = fromBefore(speech, first, before);
    score += (ofBefore <= -2.5 ? 1 : weight) * ofBefore + weight * fromAfter(after, before);
    if (form === "plural") score -= isMarked ? 1.5 : 3;
  } else if (isOrdinary && form === "joined" && !isMarked)
    score += 0.5 * Math.max(0, fromBefore(speech, first, before));
  else if (isSingle && form === "plural") score -= 0.7;
  if (speech.hasCapitals && isSingle) score += longerName(before, after, word, option);
  if (option.profile.name.toLowerCase().startsWith("the ") && before?.norm === "the") score += 0.5;
  return score;
}

function fromBefore(speech: Speech, first: number, before: SpokenWord | undefined): number {
  if (before === undefined) return 0;
  const { norm } = before;
  const beforeThat = speech.words[first - 2]?.norm ?? "";
  if (norm === "to") return motion.has(beforeThat) ? 1.9 : -1.5;
  if (indefinite.has(norm) || /^\d/.test(norm)) return -2.2;
  if (possessives.has(norm) || demonstratives.has(norm)) return -1.6;
  if (norm === "the") return -1.5;
  if (pronouns.has(norm)) return -1.8;
  if (kin.has(norm)) return -2.5;
  if (placing.has(norm)) return 2.1;
  if (relating.has(norm))
    return norm === "and" || norm === "or" ? 0.3 : commonnessOf(speech.words[first]?.norm ?? "") === "core" ? 0.9 : 1.5;
  if (["bought", "flew", "fly", "visit", "love", "ordered", "owns", "own"].includes(norm)) return 1.2;
  // "a crisp apple"
  return commonnessOf(norm) === "function" ? 0 : -0.8;
}

function fromAfter(after: SpokenWord | undefined, before: SpokenWord | undefined): number {
  if (after === undefined || after.gap !== "none") return 0.2;
  const hasArticle = before !== undefined && (indefinite.has(before.norm) || before.norm === "the");
  if (companyNouns.has(after.norm)) return hasArticle ? 1.8 : 2.4;
  if (companyVerbs.has(after.norm)) return hasArticle ? -0.3 : 1.3;
  return commonnessOf(after.norm) === "function" ? 0 : -0.4;
}

/** Part of a longer name that is somebody else's: "Fiona Apple", "Mr. Target". */
function longerName(
  before: SpokenWord | undefined,
  after: SpokenWord | undefined,
  word: SpokenWord | undefined,
  { profile, isAlias }: Option,
): number {
  if (word === undefined || word.capitals === "none") return 0;
  let score = 0;
  if (before !== undefined && word.gap === "none" && word.before.trim() === "") {
    const isName = before.capitals === "first" && !isCommon(before.norm) && before.gap !== "stop" && !before.possessive;
    const isForename = before.capitals === "first" && commonnessOf(before.norm) === "none" && !before.possessive;
    if (isName || isForename) score -= 2.2;
    else if (titles.has(before.norm) && before.capitals !== "none")
      score -= entityGroup(profile.type) === "person" ? 0 : 2;
  }
  const isFollowed =
    after?.gap === "none" &&
    after.before.trim() === "" &&
    after.capitals === "first" &&
    commonnessOf(after.norm) === "none";
  if (isFollowed && (entityGroup(profile.type) === "person" || isAlias)) score -= 1.5;
  return score;
}

/** How well the surroundings fit what is known of the entity: its kind, its description, the entities named nearby. */
export function fitOfContext(
  option: Option,
  nearby: ReadonlySet<string>,
  wide: ReadonlySet<string>,
  linked: ReadonlySet<number>,
): number {
  const { profile } = option;
  const topical = Math.min(topicalHits(entityGroup(profile.type), nearby), 4) * 0.4;
  const described = Math.min(descriptionHits(profile.description, wide), 3) * 0.9;
  const isLinked = linked.has(profile.entityId) || (profile.ownerId !== null && linked.has(profile.ownerId));
  return topical + described + (isLinked ? 1.8 : 0);
}

function descriptionHits(description: string | null, wide: ReadonlySet<string>): number {
  if (description === null) return 0;
  const words = new Set(contentStems(description.toLowerCase().split(/[^\p{L}\p{N}]+/u)));
  let hits = 0;
  for (const word of words) if (wide.has(word)) hits += 1;
  return hits;
}

/** Words that mean something, cut to what is common to their forms ("singers" and "singer", "payments" and "payment"). */
export function contentStems(words: readonly string[]): string[] {
  return words
    .filter((word) => word.length > 3 && commonnessOf(word) !== "function")
    .map((word) => word.replace(/(?:ies|y|es|s|ing|ed)$/, ""));
}
