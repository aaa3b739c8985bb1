import { hash } from "node:crypto";
import { ApiError } from "../../../domain/errors.ts";
import type { ServiceContext } from "../../../services/context.ts";
import type { ClosedTranscript, TranscriptView } from "../../../services/transcripts/read.ts";
import type { ReadAnswerOf } from "../../http/answers.ts";
import { isCurrent } from "../../http/entityTag.ts";
import { shapeHead, type TranscriptQuery, type transcriptResponse } from "./schema.ts";
import { writtenText } from "./writtenText.ts";

type TranscriptAnswer = ReadAnswerOf<{ 200: typeof transcriptResponse }>;

/**
 * The answer in the format asked for; the text is read only for a caller that has not got it yet. Text formats of what cannot be read are
 * refused: `transcript_locked`, else `transcript_not_found`.
 */
export async function representTranscript(
  context: ServiceContext,
  view: TranscriptView,
  query: TranscriptQuery,
  ifNoneMatch: string | undefined,
): Promise<TranscriptAnswer> {
  const seen = describe(view, query);
  if (view.access !== "unlocked") return representClosed(view, query, seen);
  const rows = view.rowsCharged;
  if (isCurrent(ifNoneMatch, seen.headers.ETag)) return { status: 304, headers: seen.headers, rows };
  const { version, body } = await writtenText(context, view.videoId, view, {
    format: query.format,
    words: query.include === "words",
    speakerId: query.speaker ?? null,
    startSeconds: query.start ?? null,
    endSeconds: query.end ?? null,
  });
  // A correction may have come since the view was read: what is said of the text is said of the one that is sent.
  const isSeen = version.revision === view.revision && version.evidenceStamp === view.evidenceStamp;
  const { headers, json } = isSeen ? seen : describe({ ...view, ...version }, query);
  const head = query.format === "json" ? `${json.slice(0, -1)},` : "";
  return { status: 200, headers, rows, mediaType: mediaTypes[query.format], head, shared: body };
}

const mediaTypes = {
  json: "application/json",
  srt: "application/x-subrip",
  vtt: "text/vtt",
  txt: "text/plain",
} as const;

function representClosed(
  view: ClosedTranscript,
  { format }: TranscriptQuery,
  { head, headers }: ReturnType<typeof describe>,
): TranscriptAnswer {
  if (format !== "json")
    throw new ApiError(view.access === "locked" ? "transcript_locked" : "transcript_not_found", textNeedsTranscript);
  const wait = view.nextPollSeconds !== undefined && { "Retry-After": String(view.nextPollSeconds) };
  return { status: 200, headers: { ...headers, ...wait }, json: { ...head, segments: null } };
}

const textNeedsTranscript =
  "Subtitles and plain text exist only of an unlocked transcript; read it with `format=json` to see its `access`.";

/** All that is said beside the text, also as JSON. The tag is weak: one for all codings of a representation (RFC 9110, 8.8.1). */
function describe(view: TranscriptView, { format, include, speaker, start, end }: TranscriptQuery) {
  const head = shapeHead(view);
  const json = JSON.stringify(head);
  const stamp = view.access === "unlocked" ? view.evidenceStamp : null;
  const varying = json + JSON.stringify([stamp, format, include, speaker, start, end]);
  const ETag = `W/"${hash("sha256", varying, "base64url").slice(0, 22)}"`;
  return { head, json, headers: { ETag, "Cache-Control": "private, no-cache", Vary: "Accept-Encoding" } };
}
