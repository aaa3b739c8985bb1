import { z } from "zod";
import { listTranscriptions } from "../../../services/transcriptions/list.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { listOf, pageParameters } from "../../http/paging.ts";
import { shapeTranscription, transcription } from "./schema.ts";

const position = z
  .tuple([z.number(), z.string()])
  .transform(([createdAt, videoId]) => ({ createdAt: new Date(createdAt), videoId }));

export const list = operation({
  id: "listTranscriptions",
  method: "get",
  path: "/v1/transcriptions",
  tag: "Transcriptions",
  summary: "The account's transcriptions, newest first",
  access: keyAccess("read"),
  params: none,
  query: z.strictObject(pageParameters),
  responses: { 200: { description: "A page of jobs.", json: listOf(transcription).meta({ id: "TranscriptionList" }) } },
  async handle({ context, caller, query, cursors }) {
    const binding = { operation: "listTranscriptions", account: caller.accountId };
    const after = cursors.open(binding, query.cursor, position);
    const { records, hasMore, last } = await listTranscriptions(context, caller, { limit: query.limit, after });
    const next_cursor =
      hasMore && last !== null ? cursors.seal(binding, [last.createdAt.getTime(), last.videoId]) : null;
    return { status: 200, json: { data: records.map(shapeTranscription), has_more: hasMore, next_cursor } };
  },
});
