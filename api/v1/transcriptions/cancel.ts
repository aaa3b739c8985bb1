import { cancelTranscription } from "../../../services/transcriptions/cancel.ts";
import { keyAccess } from "../../http/access.ts";
import { noBody, none, operation } from "../../http/operation.ts";
import { canceledTranscription, shapeTranscription, videoPath } from "./schema.ts";

export const cancel = operation({
  id: "cancelTranscription",
  method: "delete",
  path: "/v1/transcriptions/{video_id}",
  tag: "Transcriptions",
  summary: "Cancel a transcription and get its rows back",
  description:
    "Only a job that has not ended can be canceled; repeating it answers the same. Leaves a job that another account pays for running.",
  access: keyAccess("read"),
  params: videoPath,
  query: none,
  body: noBody,
  errors: ["invalid_video_id", "transcript_not_found", "illegal_transition"],
  responses: { 200: { description: "The canceled job.", json: canceledTranscription } },
  async handle({ context, transaction, caller, params }) {
    const record = await cancelTranscription(context, transaction, caller, params.video_id);
    return { status: 200, json: { id: params.video_id, deleted: true as const, ...shapeTranscription(record) } };
  },
});
