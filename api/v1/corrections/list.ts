import { z } from "zod";
import { listTranscriptCorrections } from "../../../services/corrections/list.ts";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { listOf, pageParameters } from "../../http/paging.ts";
import { videoPath } from "../transcriptions/schema.ts";
import { loggedCorrection, shapeLogged } from "./schema.ts";

const position = z.tuple([z.int()]).transform(([seq]) => seq);

export const list = operation({
  id: "listCorrections",
  method: "get",
  path: "/v1/videos/{video_id}/corrections",
  tag: "Corrections",
  summary: "The corrections of a transcript, newest first",
  description: "The log of an unlocked transcript, with what was there before each and after it. Costs no rows.",
  access: keyAccess("read"),
  params: videoPath,
  query: z.strictObject(pageParameters),
  errors: ["invalid_video_id", "transcript_not_found", "transcript_locked"],
  responses: {
    200: { description: "A page of corrections.", json: listOf(loggedCorrection).meta({ id: "CorrectionList" }) },
  },
  async handle({ context, caller, params, query, cursors }) {
    const binding = { operation: "listCorrections", account: caller.accountId, video: params.video_id };
    const beforeSeq = cursors.open(binding, query.cursor, position);
    const page = { limit: query.limit, beforeSeq };
    const { corrections, hasMore } = await listTranscriptCorrections(context, caller, params.video_id, page);
    const last = corrections.at(-1);
    const next_cursor = hasMore && last !== undefined ? cursors.seal(binding, [last.seq]) : null;
    const data = corrections.map((entry) => shapeLogged(entry, caller.accountId));
    return { status: 200, json: { data, has_more: hasMore, next_cursor } };
  },
});
