import { pollTranscription } from "../../../services/transcriptions/poll.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { pollHeaders, retryAfterWhileRunning, shapeTranscription, transcription, videoPath } from "./schema.ts";

export const poll = operation({
  id: "getTranscription",
  method: "get",
  path: "/v1/transcriptions/{video_id}",
  tag: "Transcriptions",
  summary: "How far a transcription is",
  access: keyAccess("read"),
  params: videoPath,
  query: none,
  errors: ["invalid_video_id", "transcript_not_found"],
  responses: {
    200: {
      description: "The job; `Retry-After` while it runs.",
      json: transcription,
      headers: { "Retry-After": retryAfterWhileRunning },
    },
  },
  async handle({ context, caller, params }) {
    const record = await pollTranscription(context, caller, params.video_id);
    return { status: 200, headers: pollHeaders(record), json: shapeTranscription(record) };
  },
});
