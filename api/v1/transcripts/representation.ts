import { createHash } from "node:crypto";
import { ApiError } from "../../../domain/errors.ts";
import { toSrt, toText, toVtt } from "../../../domain/transcriptFormats.ts";
import type { TranscriptSegment, TranscriptView } from "../../../services/transcripts/read.ts";
import { shapeTranscript, type TranscriptQuery } from "./schema.ts";

/** The answer in the format asked for. Text formats of what cannot be read are refused: `transcript_locked`, else `transcript_not_found`. */
export function representTranscript(view: TranscriptView, query: TranscriptQuery) {
  const shown: TranscriptView = {
    ...view,
    segments: view.segments?.filter((segment) => isAsked(segment, query)) ?? null,
  };
  const headers = {
    ETag: transcriptTag(view, query),
    "Cache-Control": "private, no-cache",
    ...(view.nextPollSeconds !== undefined && { "Retry-After": String(view.nextPollSeconds) }),
  };
  if (query.format === "json") return { status: 200 as const, headers, json: shapeTranscript(shown) };
  return { status: 200 as const, headers, ...toTextFormat(readable(shown), query.format) };
}

function readable(view: TranscriptView): TranscriptSegment[] {
  if (view.segments !== null) return view.segments;
  throw new ApiError(view.access === "locked" ? "transcript_locked" : "transcript_not_found", textNeedsTranscript);
}

const textNeedsTranscript =
  "Subtitles and plain text exist only of an unlocked transcript; read it with `format=json` to see its `access`.";

function toTextFormat(segments: readonly TranscriptSegment[], format: "srt" | "vtt" | "txt") {
  const cues = segments.map((segment) => ({ ...segment, speaker: segment.speakerId }));
  switch (format) {
    case "srt":
      return { mediaType: "application/x-subrip" as const, text: toSrt(cues) };
    case "vtt":
      return { mediaType: "text/vtt" as const, text: toVtt(cues) };
    case "txt":
      return { mediaType: "text/plain" as const, text: toText(cues) };
  }
}

function isAsked(segment: TranscriptSegment, { speaker, start, end }: TranscriptQuery): boolean {
  return (
    (speaker === undefined || segment.speakerId === speaker) &&
    (start === undefined || segment.endSeconds > start) &&
    (end === undefined || segment.startSeconds < end)
  );
}

/** Weak, since a title can be corrected without a new revision; it covers all that differs between two answers for one video. */
function transcriptTag(view: TranscriptView, query: TranscriptQuery): string {
  const { format, include, speaker, start, end } = query;
  const varying = [
    view.revision,
    view.access,
    view.unlockedAt,
    view.quote,
    view.entityCounts && [...view.entityCounts],
    view.segments?.flatMap(({ entities }) => entities),
    view.etaSeconds,
    format,
    include,
    speaker,
    start,
    end,
  ];
  return `W/"${createHash("sha256").update(JSON.stringify(varying)).digest("base64url").slice(0, 22)}"`;
}
