import { z } from "zod";
import { submitTranscription } from "../../../services/transcriptions/submit.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { bareBodies, retryAfterHeader, shapeTranscription, submission, transcription } from "./schema.ts";

export const submit = operation({
  id: "submitTranscription",
  method: "post",
  path: "/v1/transcriptions",
  tag: "Transcriptions",
  summary: "Have a video transcribed",
  description:
    "Holds the price in rows, by started blocks of 15 minutes, and queues the job. A video that is being transcribed already is joined, free of charge. Failure and cancellation refund in full.",
  access: keyAccess("read"),
  params: none,
  query: none,
  body: submission,
  errors: ["invalid_video_id"],
  bareBodies,
  responses: {
    202: {
      description: "The job; poll it at `Location` after `Retry-After` seconds.",
      json: transcription,
      headers: {
        Location: z.string().meta({ description: "Path to poll.", example: "/v1/transcriptions/dQw4w9WgXcQ" }),
        "Retry-After": retryAfterHeader,
      },
    },
  },
  async handle({ context, transaction, caller, body }) {
    const { record, heldRows } = await submitTranscription(context, transaction, caller, body);
    const headers = { Location: `/v1/transcriptions/${record.videoId}`, "Retry-After": String(record.nextPollSeconds) };
    return { status: 202, headers, json: shapeTranscription(record), rows: heldRows };
  },
});
