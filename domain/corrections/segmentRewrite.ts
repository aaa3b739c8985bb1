import { generateNKeysBetween } from "fractional-indexing";
import { AnchorMismatch } from "../bareRefusals.ts";
import { ApiError } from "../errors.ts";
import { align, type Alignment } from "./alignment.ts";
import { holdAnchor, refuseRepeat } from "./anchor.ts";
import { carryTags } from "./carryTags.ts";
import { carryWords } from "./carryWords.ts";
import { misplacedPin, repairTimes } from "./repairTimes.ts";
import { requireSpeaker } from "./speakers.ts";
import type { Change, Replacement, Scene, Segment, SegmentRewrite } from "./types.ts";

/**
 * Puts texts in the place of a range of segments, or nothing at all. Their times lie in the range, the words that go on keep theirs, and who
 * speaks is who said the first of them, unless told. Throws `AnchorMismatch`, and `invalid_body` for pins that are out of the range or order
 * and for speakers that are not there.
 */
export function segmentRewrite(scene: Scene, rewrite: SegmentRewrite): Change {
  const { seq, segments } = scene;
  const { replacements } = rewrite;
  const [first] = segments;
  if (first === undefined) throw new AnchorMismatch("segment_not_found", scene.revision);
  for (const [n, { speakerId }] of replacements.entries())
    if (speakerId !== null) requireSpeaker(scene, speakerId, `replacements.${n}.speakerId`);
  const range = { startSeconds: first.startSeconds, endSeconds: Math.max(...segments.map((one) => one.endSeconds)) };
  if (isAsWas(segments, replacements)) return refuseRepeat(scene);
  holdAnchor(scene, rewrite);
  const misplaced = misplacedPin(range, replacements);
  if (misplaced !== null)
    throw new ApiError(
      "invalid_body",
      `The body field \`replacements.${misplaced.replacement}.${misplaced.pin}\` is out of place: pinned times must follow each other from ${range.startSeconds} to ${range.endSeconds}, the range's own.`,
    );
  const times = repairTimes(range, replacements);
  const alignment = align(
    segments,
    replacements.map(({ text }) => text),
    scene.pairs,
  );
  const words = carryWords(alignment, times);
  const tags = carryTags(alignment);
  const speakers = speakersOf(alignment, replacements);
  const positions = positionsOf(scene, replacements.length);
  const confidence = segments.reduce((sum, one) => sum + one.confidence, 0) / segments.length;
  const after = replacements.map(({ text }, n): Segment => ({
    id: `seg_${seq}_${n}`,
    position: positions[n] ?? first.position,
    startSeconds: times[n]?.startSeconds ?? range.startSeconds,
    endSeconds: times[n]?.endSeconds ?? range.endSeconds,
    speakerId: speakers[n] ?? null,
    text,
    confidence: Math.round(confidence * 1000) / 1000,
    words: words[n] ?? [],
    tags: tags[n] ?? [],
    madeSeq: seq,
  }));
  return { before: segments, after, speaker: null, pairs: alignment.forward };
}

function isAsWas(segments: readonly Segment[], replacements: readonly Replacement[]): boolean {
  return (
    segments.length === replacements.length &&
    replacements.every(({ text, speakerId, startSeconds, endSeconds }, n) => {
      const segment = segments[n];
      return (
        segment !== undefined &&
        text === segment.text &&
        isKept(speakerId, segment.speakerId) &&
        isKept(startSeconds, segment.startSeconds) &&
        isKept(endSeconds, segment.endSeconds)
      );
    })
  );
}

function isKept<T>(told: T | null, was: T): boolean {
  return told === null || told === was;
}

function speakersOf({ before, units, newUnits, backward }: Alignment, replacements: readonly Replacement[]) {
  let latest = before[0]?.speakerId ?? null;
  return replacements.map(({ speakerId }, part) => {
    const from = newUnits.findIndex((one, n) => one.part === part && backward[n] !== null);
    const origin = units[backward[from] ?? -1];
    latest = speakerId ?? (origin === undefined ? latest : (before[origin.part]?.speakerId ?? null));
    return latest;
  });
}

/** The places of the replaced segments first, then new ones between the last of these and what follows. */
function positionsOf({ segments, nextPosition }: Scene, count: number): string[] {
  const positions = segments.slice(0, count).map(({ position }) => position);
  const more = count - positions.length;
  return [...positions, ...generateNKeysBetween(positions.at(-1) ?? null, nextPosition, more)];
}
