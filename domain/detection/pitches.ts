import { findCues, plainOf } from "./cues.ts";
import type { NamedEntity } from "./disambiguate.ts";
import { isAddress } from "./findNames.ts";
import { ownGoods, pitchCues, type PitchKind, pitchWeights, vanityAddressWeight } from "./pitchCues.ts";
import type { PromoCode } from "./promoCode.ts";
import type { Speech, WordRange } from "./speech.ts";

/** A part of a sales pitch for one of the names, which stands at `named`. */
export interface PitchHit extends WordRange {
  kind: PitchKind | "sponsor";
  weight: number;
  named: number;
}

const carriedWords = 60;
const aheadWords = 15;

/** The parts of sales pitches, each given to the name that it is for. `sponsored` are the hits that say who pays. */
export function pitchHits(
  speech: Speech,
  names: readonly NamedEntity[],
  sponsored: readonly PitchHit[],
  codes: readonly PromoCode[],
): PitchHit[] {
  const hits: PitchHit[] = [...sponsored, ...addressHits(speech, names)];
  const tied = hits.toSorted((a, b) => a.first - b.first);
  const give = (range: WordRange, kind: PitchKind, weight: number) => {
    const named = nameFor(speech, range, names, tied);
    if (named !== null) hits.push({ ...range, kind, weight, named });
  };
  for (const { first, end } of codes) give({ first, end }, "code", pitchWeights.code);
  for (const { kind, pattern } of pitchCues) {
    for (const { first, end } of findCues(speech, pattern)) give({ first, end }, kind, pitchWeights[kind]);
  }
  return hits.sort((a, b) => a.first - b.first);
}

/** Places where the speech sells what is the show's own. */
export function ownGoodsAt(speech: Speech): number[] {
  return findCues(speech, ownGoods).map(({ first }) => first);
}

function addressHits(speech: Speech, names: readonly NamedEntity[]): PitchHit[] {
  return names.flatMap(({ first, end }, named) => {
    // The name may hold the ending itself ("Stamps.com").
    const holdsEnding = /(?: dot)? (?:com|org|net|io)$/.test(plainOf(speech, { first, end }).trim());
    if (!holdsEnding && !isAddress(speech.words, end - 1)) return [];
    const after = plainOf(speech, { first: end, end: Math.min(end + 6, speech.words.length) });
    const isVanity = (holdsEnding ? /^slash \w+|^ ?\/\w+/ : /^(?:dot )?\w+ slash \w+/).test(after);
    return [
      { first, end: end + 1, kind: "address", weight: isVanity ? vanityAddressWeight : pitchWeights.address, named },
    ];
  });
}

/** The name that a part of a pitch is for: of its sentence, the one with an address or a sponsor's wording before others, else the one last pitched or named. */
function nameFor(
  speech: Speech,
  range: WordRange,
  names: readonly NamedEntity[],
  tied: readonly PitchHit[],
): number | null {
  const sentence = speech.words[range.first]?.sentence;
  const inSentence = (word: number) => speech.words[word]?.sentence === sentence;
  const tiedHere = tied.filter((hit) => inSentence(hit.first) || inSentence(hit.end - 1));
  const nearestTied = nearest(tiedHere, range);
  if (nearestTied !== undefined) return nearestTied.named;
  const tiedBefore = tied.findLast((hit) => hit.first < range.first && hit.first >= range.first - carriedWords);
  if (tiedBefore !== undefined) return tiedBefore.named;
  const here = names.map((name, index) => ({ ...name, index })).filter(({ first }) => inSentence(first));
  const nearestHere = nearest(here, range);
  if (nearestHere !== undefined) return nearestHere.index;
  const tiedAfter = tied.find((hit) => hit.first > range.first && hit.first <= range.end + aheadWords * 2);
  const named = names.map((name, index) => ({ ...name, index }));
  const before = named.findLast(({ first }) => first < range.first && first >= range.first - carriedWords);
  if (before !== undefined) return before.index;
  return (
    tiedAfter?.named ?? named.find(({ first }) => first > range.first && first <= range.end + aheadWords)?.index ?? null
  );
}

function nearest<T extends WordRange>(ranges: readonly T[], to: WordRange): T | undefined {
  const distance = ({ first, end }: WordRange) =>
    first >= to.end ? first - to.end : Math.max(0, to.first - end) * 0.9;
  return [...ranges].sort((a, b) => distance(a) - distance(b))[0];
}
