import { plainOf } from "./cues.ts";
import type { NamedEntity } from "./disambiguate.ts";
import { leastPitch, returning } from "./pitchCues.ts";
import type { PitchHit } from "./pitches.ts";
import { type Speech, sentenceAt, type WordRange } from "./speech.ts";

/** A paid passage about one entity. */
export interface AdRead extends WordRange {
  entityId: number;
  confidence: number;
}

const longestSilenceWords = 75;
const beforeFirstHitWords = 30;

interface Region {
  entityId: number;
  hits: PitchHit[];
}

/**
 * Paid passages: a wording that says who pays makes one, and so do enough parts of a sales pitch for one name. A passage runs from the sentence where the pitch
 * or the name begins to the sentence with its last part, and ends at the latest where the show goes on.
 * `ownGoods` are places where the show sells what is its own, `quoted` sentences in which others' advertising is quoted.
 */
export function adReads(
  speech: Speech,
  names: readonly NamedEntity[],
  hits: readonly PitchHit[],
  { ownGoods, quoted }: { ownGoods: readonly number[]; quoted: ReadonlySet<number> },
): AdRead[] {
  const reads: AdRead[] = [];
  const open = hits.filter((hit) => hit.kind === "sponsor" || !quoted.has(speech.words[hit.first]?.sentence ?? -1));
  for (const region of regionsOf(names, open)) {
    const isSponsored = region.hits.some((hit) => hit.kind === "sponsor");
    const pitch = pitchOf(region.hits);
    const range = rangeOf(speech, names, region);
    const ownNearby = ownGoods.filter((word) => word >= range.first - 12 && word < range.end + 12).length;
    if (!isSponsored && pitch - (ownNearby > 0 ? 3 : 0) < leastPitch) continue;
    const confidence = isSponsored
      ? 0.9 + Math.min(pitch, 4) * 0.02
      : Math.min(0.92, 0.7 + (pitch - leastPitch) * 0.07);
    reads.push({ ...range, entityId: region.entityId, confidence: Math.round(confidence * 1000) / 1000 });
  }
  return apart(reads.sort((a, b) => a.first - b.first));
}

/** Hits for one entity that are not far from one another. */
function regionsOf(names: readonly NamedEntity[], hits: readonly PitchHit[]): Region[] {
  const regions: Region[] = [];
  for (const hit of hits) {
    const entityId = names[hit.named]?.profile.entityId;
    if (entityId === undefined) continue;
    const region = regions.findLast((known) => known.entityId === entityId);
    const last = region?.hits.at(-1);
    const isNear = last !== undefined && hit.first - last.end <= longestSilenceWords;
    const isNewStart = hit.kind === "sponsor" && last !== undefined && hit.first - last.end > longestSilenceWords / 2;
    if (region !== undefined && isNear && !isNewStart) region.hits.push(hit);
    else regions.push({ entityId, hits: [hit] });
  }
  return regions;
}

/** Each kind of part counts once, at its best. */
function pitchOf(hits: readonly PitchHit[]): number {
  const best = new Map<string, number>();
  for (const { kind, weight } of hits) if (kind !== "sponsor") best.set(kind, Math.max(best.get(kind) ?? 0, weight));
  return [...best.values()].reduce((sum, weight) => sum + weight, 0);
}

function rangeOf(speech: Speech, names: readonly NamedEntity[], { entityId, hits }: Region): WordRange {
  const first = Math.min(...hits.map((hit) => Math.min(hit.first, names[hit.named]?.first ?? hit.first)));
  const own = names.filter(({ profile }) => profile.entityId === entityId);
  const leading = own.find((name) => name.first < first && name.first >= first - beforeFirstHitWords);
  const begin = sentenceAt(speech, leading?.first ?? first).first;
  const marks = [...hits, ...own].filter((mark) => mark.first >= begin).sort((a, b) => a.first - b.first);
  let last = sentenceAt(speech, hits[0]?.first ?? first);
  for (const mark of marks) {
    if (mark.first - last.end > longestSilenceWords) break;
    if (resumes(speech, last.end, mark.first)) break;
    const sentence = sentenceAt(speech, mark.end - 1);
    if (sentence.end > last.end) last = sentence;
  }
  return { first: begin, end: last.end };
}

/** Whether the show goes on somewhere between two words. */
function resumes(speech: Speech, from: number, to: number): boolean {
  for (let word = from; word <= to && word < speech.words.length;) {
    const sentence = sentenceAt(speech, word);
    if (sentence.first >= from && returning.test(plainOf(speech, sentence))) return true;
    word = Math.max(sentence.end, word + 1);
  }
  return false;
}

/** Passages one after the other: where two overlap, the first ends where the second begins. */
function apart(reads: readonly AdRead[]): AdRead[] {
  return reads.map((read, index) => {
    const next = reads.slice(index + 1).find(({ entityId }) => entityId !== read.entityId);
    const cut = next !== undefined && next.first > read.first && next.first < read.end;
    return cut ? { ...read, end: next.first } : read;
  });
}
