import { z } from "zod";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { entityIdParameter } from "../entities/schema.ts";
import { dryRunBody } from "../meteredRead.ts";
import { answerMentionList, attachmentsAccess } from "./answerList.ts";
import { mentionFilters, mentionList } from "./schema.ts";

export const ofEntity = operation({
  id: "listEntityMentions",
  method: "get",
  charges: true,
  path: "/v1/entities/{id}/mentions",
  tag: "Mentions",
  summary: "Mentions of an entity, newest first",
  description: "1 row each, and 10 for each attached commercial row. As `GET /v1/mentions` with this entity.",
  access: keyAccess("read", attachmentsAccess),
  params: z.strictObject({ id: entityIdParameter }),
  query: z.strictObject(mentionFilters),
  errors: ["entity_not_found", "channel_not_found", "appearances_person_only"],
  responses: { 200: { description: "A page of mentions.", json: z.union([mentionList, dryRunBody]) } },
  handle: ({ context, caller, cursors, params, query: filters }) =>
    answerMentionList({
      context,
      caller,
      cursors,
      operation: "listEntityMentions",
      entity: { id: params.id, name: null },
      filters,
    }),
});
