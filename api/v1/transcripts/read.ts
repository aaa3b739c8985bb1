import { quoteTranscript } from "../../../services/transcripts/quote.ts";
import { readTranscript } from "../../../services/transcripts/read.ts";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { shapeDryRun } from "../meteredRead.ts";
import { bareBodies, videoPath } from "../transcriptions/schema.ts";
import { representTranscript } from "./representation.ts";
import { transcriptQuery, transcriptResponse } from "./schema.ts";

export const read = operation({
  id: "getTranscript",
  method: "get",
  charges: true,
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
  responses: { 200: transcriptResponse },
  async handle({ context, caller, params, query, ifNoneMatch }) {
    if (query.dry_run) {
      const quote = await quoteTranscript(context, caller, params.video_id, { unlock: query.unlock });
      return { status: 200, headers: quoteHeaders, json: shapeDryRun(quote) };
    }
    const view = await readTranscript(context, caller, params.video_id, { unlock: query.unlock });
    return representTranscript(context, view, query, ifNoneMatch);
  },
});

const quoteHeaders = { "Cache-Control": "no-store", Vary: "Accept-Encoding" };
