import type { CaptionSegment } from "../../domain/captions/segments.ts";
import type { EntityTag, Speaker, TimedWord } from "../../domain/corrections/types.ts";
import type { SpokenSegment, ToldName } from "../../domain/detection/types.ts";

/** A segment of a transcript, by whichever query it was read. */
interface TranscriptSegment {
  id: string;
  startSeconds: number;
  endSeconds: number;
  speakerId: string | null;
  text: string;
  tags: readonly EntityTag[];
  words?: readonly TimedWord[] | undefined;
}

/** A place that is known to name an entity. */
interface KnownName {
  entityId: number;
  segmentId: string;
  charStart: number;
  charEnd: number;
  confidence: number;
}

/**
 * The segments of a transcript as the detector takes them, with what people say of names in them, and with what else is `known` there; seconds
 * from the start of the video.
 */
export function spokenSegments(
  rows: readonly TranscriptSegment[],
  speakers: readonly Speaker[],
  known: readonly KnownName[] = [],
): SpokenSegment[] {
  const labels = new Map(speakers.map(({ id, label }) => [id, label]));
  const knownIn = Map.groupBy(known, ({ segmentId }) => segmentId);
  return rows.map(({ id, startSeconds, endSeconds, speakerId, text, tags, words }) => ({
    id,
    startSeconds,
    endSeconds,
    text,
    speaker: speakerId === null ? null : { id: speakerId, label: labels.get(speakerId) ?? null },
    words: (words ?? []).map(([word, start, end]) => ({ text: word, startSeconds: start, endSeconds: end })),
    told: toldOf(tags, knownIn.get(id) ?? []),
  }));
}

/** What people say goes before what was found. */
function toldOf(tags: readonly EntityTag[], known: readonly KnownName[]): ToldName[] {
  const told = tags.map(({ entityId, charStart, charEnd, action }) => ({
    entityId,
    charStart,
    charEnd,
    action,
    confidence: 1,
  }));
  const free = known.filter(
    (name) => !tags.some((tag) => tag.charStart < name.charEnd && name.charStart < tag.charEnd),
  );
  return [
    ...told,
    ...free.map(({ entityId, charStart, charEnd, confidence }) => ({
      entityId,
      charStart,
      charEnd,
      confidence,
      action: "add" as const,
    })),
  ];
}

/** Captions as the detector takes them; whoever has one label is one speaker. */
export function spokenCaptions(captions: readonly CaptionSegment[]): SpokenSegment[] {
  return captions.map(({ startSeconds, endSeconds, text, speaker, words }, index) => ({
    id: `cue_${index}`,
    startSeconds,
    endSeconds,
    text,
    speaker: speaker === null ? null : { id: speaker, label: speaker },
    ...(words !== null && { words }),
  }));
}
