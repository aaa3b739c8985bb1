import { foldName } from "../names.ts";
import type { Candidate } from "./candidates.ts";
import type { NamedEntity } from "./disambiguate.ts";
import { type Speech, textOf, type WordRange } from "./speech.ts";
import type { EntityProfile, ToldName } from "./types.ts";

/** Log odds of what somebody says is a name. */
const toldLogOdds = 6;

/** What segments are told of names, as it bears on what is found. */
export interface Told {
  /** The candidates without those that are told not to be meant, and with those that are told. */
  among(candidates: readonly Candidate[]): readonly Candidate[];
  /** What is named, by decision or by what is told, which wins wherever the two overlap. */
  decide(names: readonly NamedEntity[]): readonly NamedEntity[];
}

/** Reads what the segments are told. What names an entity without a profile is passed over. */
export function toldNames(speech: Speech, profiles: ReadonlyMap<number, EntityProfile>): Told {
  if (speech.segments.every(({ told }) => told === undefined || told.length === 0))
    return { among: (candidates) => candidates, decide: (names) => names };
  const wordsOf = Map.groupBy(speech.words.keys(), (index) => speech.words[index]?.segment ?? -1);
  const told = speech.segments.flatMap((segment, index) =>
    (segment.told ?? []).flatMap((name) => placed(speech, wordsOf.get(index) ?? [], name, profiles)),
  );
  const added = told.filter(({ name }) => name.action === "add");
  const removed = told.filter(({ name }) => name.action === "remove");
  return {
    among: (candidates) => {
      const free = candidates.flatMap((candidate) => {
        if (added.some((one) => overlap(one, candidate))) return [];
        const options = candidate.options.filter(
          ({ profile }) => !removed.some((one) => one.profile.entityId === profile.entityId && overlap(one, candidate)),
        );
        return options.length === 0 ? [] : [{ ...candidate, options }];
      });
      const sure = added.map(({ first, end, profile }): Candidate => {
        const isAlias = foldName(textOf(speech, { first, end })) !== foldName(profile.name);
        return { first, end, form: "exact", options: [{ profile, isAlias }] };
      });
      return [...free, ...sure].sort(inOrder);
    },
    decide: (names) => {
      const free = names.filter((name) => !added.some((one) => overlap(one, name)));
      const sure = added.map(({ first, end, profile, name }) => ({
        first,
        end,
        profile,
        logOdds: toldLogOdds,
        confidence: name.confidence,
        told: { charStart: name.charStart, charEnd: name.charEnd },
      }));
      return [...free, ...sure].sort(inOrder);
    },
  };
}

interface PlacedName extends WordRange {
  name: ToldName;
  profile: EntityProfile;
}

function placed(
  speech: Speech,
  words: readonly number[],
  name: ToldName,
  profiles: ReadonlyMap<number, EntityProfile>,
): PlacedName[] {
  const within = words.filter((index) => {
    const word = speech.words[index];
    return word !== undefined && word.start < name.charEnd && word.end > name.charStart;
  });
  const profile = profiles.get(name.entityId);
  const [first] = within;
  const last = within.at(-1);
  return profile === undefined || first === undefined || last === undefined
    ? []
    : [{ first, end: last + 1, name, profile }];
}

function overlap(a: WordRange, b: WordRange): boolean {
  return a.first < b.end && b.first < a.end;
}

function inOrder(a: WordRange, b: WordRange): number {
  return a.first - b.first || b.end - a.end;
}
