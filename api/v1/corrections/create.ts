import { correctTranscript } from "../../../services/corrections/correct.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { videoPath } from "../transcriptions/schema.ts";
import { correctionBody, orderOf } from "./requestSchema.ts";
import { correction, correctionBareBodies, shapeCorrection } from "./schema.ts";

export const create = operation({
  id: "correctTranscript",
  method: "post",
  path: "/v1/videos/{video_id}/corrections",
  tag: "Corrections",
  summary: "Put a transcript right",
  description:
    "Takes effect at once, for everybody, and in the index too: what the changed segments name is looked for again. Every correction raises the transcript's `revision` and `seq` by one and can be taken back. Needs an unlocked transcript; costs no rows.",
  access: keyAccess("read"),
  params: videoPath,
  query: none,
  body: correctionBody,
  errors: [
    "invalid_video_id",
    "transcript_not_found",
    "transcript_locked",
    "entity_not_found",
    "appearances_person_only",
  ],
  bareBodies: correctionBareBodies,
  responses: { 201: { description: "The correction, with the segments that it changed.", json: correction } },
  async handle({ transaction, caller, params, body }) {
    const made = await correctTranscript(transaction, caller, params.video_id, orderOf(body));
    return { status: 201, json: shapeCorrection(made) };
  },
});
