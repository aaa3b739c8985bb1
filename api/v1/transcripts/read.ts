import { z } from "zod";
import { readTranscript } from "../../../services/transcripts/read.ts";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { retryAfterHeader, videoPath } from "../transcriptions/schema.ts";
import { bareBodies } from "../transcriptions/schema.ts";
import { representTranscript } from "./representation.ts";
import { transcript, transcriptQuery } from "./schema.ts";

const subtitles = (example: string) => z.string().meta({ example });

export const read = operation({
  id: "getTranscript",
  method: "get",
  path: "/v1/transcripts/{video_id}",
  tag: "Transcripts",
  summary: "Read a transcript",
  description:
    "Always answers 200 for a valid id in JSON: `access` says what there is to read, and what the rest would cost.",
  access: keyAccess("read"),
  params: videoPath,
  query: transcriptQuery,
  errors: ["invalid_video_id", "transcript_locked", "transcript_not_found"],
  bareBodies,
  responses: {
    200: {
      description: "The transcript as the account may see it.",
      json: transcript,
      texts: {
        "application/x-subrip": subtitles("1\n00:00:00,000 --> 00:00:02,500\nHello world.\n"),
        "text/vtt": subtitles("WEBVTT\n\n00:00:00.000 --> 00:00:02.500\nHello world.\n"),
        "text/plain": subtitles("Hello world.\n"),
      },
      headers: {
        ETag: z.string().meta({ description: "For `If-None-Match`; changes with the revision and the access." }),
        "Cache-Control": z.string().meta({ description: "Kept by the caller alone, and checked at each use." }),
        "Retry-After": retryAfterHeader.optional(),
      },
    },
  },
  async handle({ context, caller, params, query }) {
    const options = { unlock: query.unlock, words: query.include === "words" };
    return representTranscript(await readTranscript(context, caller, params.video_id, options), query);
  },
});
