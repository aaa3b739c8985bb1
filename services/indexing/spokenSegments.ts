import type { TranscriptSegmentRow } from "../../database/transcripts.ts";
import type { CaptionSegment } from "../../domain/captions/segments.ts";
import type { SpokenSegment } from "../../domain/detection/types.ts";

/** The segments of a transcript as the detector takes them; seconds from the start of the video. */
export function spokenSegments(rows: readonly TranscriptSegmentRow[]): SpokenSegment[] {
  return rows.map(({ id, startSeconds, endSeconds, text, words }) => ({
    id,
    startSeconds,
    endSeconds,
    text,
    speaker: null,
    words: (words ?? []).map(([word, start, end]) => ({ text: word, startSeconds: start, endSeconds: end })),
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
