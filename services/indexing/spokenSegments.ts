import type { CaptionSegment } from "../../domain/captions/segments.ts";
import type { EntityTag, Speaker, TimedWord } from "../../domain/corrections/types.ts";
import type { SpokenSegment } from "../../domain/detection/types.ts";

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

/** The segments of a transcript as the detector takes them, what people say of names in them included; seconds from the start of the video. */
export function spokenSegments(rows: readonly TranscriptSegment[], speakers: readonly Speaker[]): SpokenSegment[] {
  const labels = new Map(speakers.map(({ id, label }) => [id, label]));
  return rows.map(({ id, startSeconds, endSeconds, speakerId, text, tags, words }) => ({
    id,
    startSeconds,
    endSeconds,
    text,
    speaker: speakerId === null ? null : { id: speakerId, label: labels.get(speakerId) ?? null },
    words: (words ?? []).map(([word, start, end]) => ({ text: word, startSeconds: start, endSeconds: end })),
    told: tags.map((tag) => ({ ...tag, confidence: 1 })),
  }));
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
