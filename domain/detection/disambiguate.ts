import { entityGroup } from "../evidence.ts";
import { foldName } from "../names.ts";
import type { Candidate, Option } from "./candidates.ts";
import { kin } from "./contextWords.ts";
import { contentStems, fitOfContext, nameLikeness } from "./score.ts";
import type { Speech, WordRange } from "./speech.ts";
import type { DetectionInput, EntityProfile, NamedElsewhere } from "./types.ts";
import type { Word } from "./word.ts";
import { splitWords } from "./words.ts";

/** A name that was decided upon; `logOdds` of being meant. */
export interface NamedEntity extends WordRange {
  profile: EntityProfile;
  logOdds: number;
  confidence: number;
  /** Of a name that is told: characters of the first word's segment, which may be a part of the words only. */
  told?: { charStart: number; charEnd: number };
}

/** Evidence from elsewhere that the words `[first, end)` name something, in log odds, such as an advertisement's wording. */
export type Support = (candidate: Candidate, option: Option) => number;

/** Below this, nothing is said to be named (decisions.md leaves it open). */
const leastConfidence = 0.5;

const nearWords = 12;
const wideWords = 45;

interface Scored {
  candidate: Candidate;
  scores: { option: Option; likeness: number; fit: number }[];
}

/**
 * Decides what each span names, if anything: the words must look like a name (rare words do, ordinary ones need capitals or company), and of several entities
 * of one name the one wins that fits its surroundings, the rest of the video and the channel best. Longer spans go before shorter ones.
 */
export function disambiguate(
  speech: Speech,
  candidates: readonly Candidate[],
  { channel, elsewhere = [] }: Pick<DetectionInput, "channel" | "elsewhere">,
  support: Support,
): NamedEntity[] {
  const linked = linkedEntities(speech, candidates);
  const enumerated = enumeratedWith(speech, candidates);
  const fullNames = fullyNamed(candidates, elsewhere);
  const scored = candidates.map((candidate): Scored => {
    const nearby = new Set(around(speech, candidate, nearWords));
    const wide = new Set(contentStems(around(speech, candidate, wideWords)));
    return {
      candidate,
      scores: candidate.options.map((option) => ({
        option,
        likeness:
          nameLikeness(speech, candidate, option) +
          support(candidate, option) +
          (enumerated(candidate, option) ? 1.8 : 0),
        fit:
          fitOfContext(option, nearby, wide, linked) +
          (fullNames.has(option.profile.entityId) && option.isAlias ? 1.8 : 0) +
          prior(option, channel),
      })),
    };
  });
  const first = scored.map((entry) => decide(entry, () => 0));
  const decided = withRepeats(speech, scored, first, elsewhere);
  return withoutOverlaps(
    decided.filter((named): named is NamedEntity => named !== null && named.confidence >= leastConfidence),
  );
}

/** Popularity and the channel's own topics settle what nothing else settles. */
function prior({ profile, isAlias }: Option, channel: DetectionInput["channel"]): number {
  const inChannel = channel?.mentionedIn.get(profile.entityId) ?? 0;
  return (
    0.2 * Math.log10(1 + profile.mentionCount) + Math.min(1.2, 0.4 * Math.log2(1 + inChannel)) - (isAlias ? 0.3 : 0)
  );
}

function decide({ candidate, scores }: Scored, repeated: (entityId: number) => number): NamedEntity | null {
  const ranked = scores
    .map(({ option, likeness, fit }) => {
      const again = repeated(option.profile.entityId);
      // What fits raises the odds that a name is meant at all, but cannot make a name of any word.
      return {
        profile: option.profile,
        total: likeness + Math.min(fit, 3.2) * 0.6 + again,
        choice: likeness + fit + again,
      };
    })
    .sort((a, b) => b.choice - a.choice);
  const [best, second] = ranked;
  if (best === undefined) return null;
  const margin = second === undefined ? 1 : sigmoid(2 * (best.choice - second.choice) + 0.4);
  const confidence =
    Math.round(Math.min(0.99, sigmoid(best.total) * (second === undefined ? 1 : 0.45 + 0.55 * margin)) * 1000) / 1000;
  return { first: candidate.first, end: candidate.end, profile: best.profile, logOdds: best.total, confidence };
}

/** A word is used in one sense throughout: where it was surely a name, it is more likely one elsewhere, and the same one. */
function withRepeats(
  speech: Speech,
  scored: readonly Scored[],
  first: readonly (NamedEntity | null)[],
  elsewhere: readonly NamedElsewhere[],
): (NamedEntity | null)[] {
  const sureEntities = new Set([
    ...first.flatMap((named) => (named !== null && named.confidence >= 0.85 ? [named.profile.entityId] : [])),
    ...elsewhere.flatMap(({ entityId, confidence }) => (confidence >= 0.85 ? [entityId] : [])),
  ]);
  const surfaces = scored.map(({ candidate }) => surfaceKey(speech, candidate));
  const sure = new Map<string, Map<number, number>>();
  const count = (surface: string, entityId: number, times: number) => {
    const bySurface = sure.get(surface) ?? new Map<number, number>();
    bySurface.set(entityId, (bySurface.get(entityId) ?? 0) + times);
    sure.set(surface, bySurface);
  };
  for (const [index, named] of first.entries())
    if (named !== null && named.confidence >= 0.75) count(surfaces[index] ?? "", named.profile.entityId, 1);
  for (const { entityId, surfaceForm, mentions, confidence } of elsewhere)
    if (confidence >= 0.75) count(keyOf(splitWords(surfaceForm)), entityId, mentions);
  // "my cousin Chase": whoever is called so here is not who the name is known for.
  const strangers = new Set(
    scored.flatMap(({ candidate, scores }, index) =>
      speech.words[candidate.first]?.capitals === "first" &&
      kin.has(speech.words[candidate.first - 1]?.norm ?? "") &&
      scores.length > 0
        ? [surfaces[index] ?? ""]
        : [],
    ),
  );
  return scored.map((entry, index) => {
    const others = sure.get(surfaces[index] ?? "");
    const own = first[index];
    return decide(entry, (entityId) => {
      const repeats =
        (others?.get(entityId) ?? 0) - (own?.profile.entityId === entityId && own.confidence >= 0.75 ? 1 : 0);
      // Said in another way elsewhere without doubt: "BetterHelp … better help".
      const otherwise = entry.candidate.form === "joined" && sureEntities.has(entityId) ? 1.5 : 0;
      return Math.min(repeats, 2) * 0.7 + otherwise - (strangers.has(surfaces[index] ?? "") ? 4 : 0);
    });
  });
}

function surfaceKey(speech: Speech, { first, end }: WordRange): string {
  return keyOf(speech.words.slice(first, end));
}

function keyOf(words: readonly Word[]): string {
  return words.map((word) => (word.possessive ? word.norm.replace(/s$/, "") : word.norm)).join(" ");
}

/** Longest first from left to right; of what overlaps, one stays. */
function withoutOverlaps(named: readonly NamedEntity[]): NamedEntity[] {
  const kept: NamedEntity[] = [];
  const ordered = [...named].sort((a, b) => a.first - b.first || b.end - a.end);
  for (const entry of ordered) {
    const last = kept.at(-1);
    if (last === undefined || entry.first >= last.end) kept.push(entry);
  }
  return kept;
}

/** Entities that own, or are owned by, another that is named without doubt in the speech. */
function linkedEntities(speech: Speech, candidates: readonly Candidate[]): Set<number> {
  const linked = new Set<number>();
  for (const candidate of candidates) {
    const [option] = candidate.options;
    if (candidate.options.length > 1 || option === undefined || nameLikeness(speech, candidate, option) < 1.5) continue;
    if (option.profile.ownerId !== null) linked.add(option.profile.ownerId);
    if (entityGroup(option.profile.type) === "organization") linked.add(-option.profile.entityId);
  }
  for (const candidate of candidates) {
    for (const { profile } of candidate.options)
      if (profile.ownerId !== null && linked.has(-profile.ownerId)) linked.add(profile.entityId);
  }
  return linked;
}

/** Whether the name stands beside one of the same kind that is beyond doubt: "Shell and BP". */
function enumeratedWith(
  speech: Speech,
  candidates: readonly Candidate[],
): (candidate: Candidate, option: Option) => boolean {
  const groupEndingAt = new Map<number, Set<string>>();
  const groupStartingAt = new Map<number, Set<string>>();
  for (const candidate of candidates) {
    for (const option of candidate.options) {
      if (nameLikeness(speech, candidate, option) < 1.5) continue;
      const group = entityGroup(option.profile.type);
      groupEndingAt.set(candidate.end, (groupEndingAt.get(candidate.end) ?? new Set()).add(group));
      groupStartingAt.set(candidate.first, (groupStartingAt.get(candidate.first) ?? new Set()).add(group));
    }
  }
  const joins = (word: number) => ["and", "or"].includes(speech.words[word]?.norm ?? "");
  return ({ first, end }, option) => {
    const group = kindOf(option);
    const before = joins(first - 1) ? first - 1 : speech.words[first]?.gap === "pause" ? first : -1;
    const after = joins(end) ? end + 1 : speech.words[end]?.gap === "pause" ? end : -1;
    const has = (groups: Set<string> | undefined) =>
      groups !== undefined && [...groups].some((other) => kindOfGroup(other) === group);
    return has(groupEndingAt.get(before)) || has(groupStartingAt.get(after));
  };
}

// What is made and who makes it are spoken of alike.
const kindOfGroup = (group: string) => (group === "product" ? "organization" : group);
const kindOf = ({ profile }: Option) => kindOfGroup(entityGroup(profile.type));

/** Entities that some span, here or elsewhere, names by their full name of several words. */
function fullyNamed(candidates: readonly Candidate[], elsewhere: readonly NamedElsewhere[]): Set<number> {
  const named = new Set<number>();
  const called = new Set(elsewhere.map(({ entityId, surfaceForm }) => `${entityId} ${foldName(surfaceForm)}`));
  for (const { first, end, options } of candidates) {
    for (const { profile, isAlias } of options) {
      const isInFull = !isAlias && end - first > 1;
      if (isInFull || isCalledInFull(profile, called)) named.add(profile.entityId);
    }
  }
  return named;
}

function isCalledInFull({ entityId, name }: EntityProfile, called: ReadonlySet<string>): boolean {
  if (called.size === 0) return false;
  const folded = foldName(name);
  return folded.includes(" ") && called.has(`${entityId} ${folded}`);
}

function around({ words }: Speech, { first, end }: WordRange, reach: number): string[] {
  return [...words.slice(Math.max(0, first - reach), first), ...words.slice(end, end + reach)].map((word) => word.norm);
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
