import { z } from "zod";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { entityIdParameter } from "../entities/schema.ts";
import { dryRunBody } from "../meteredRead.ts";
import { answerMentionList, attachmentsAccess } from "./answerList.ts";
import { mentionFilters, mentionList } from "./schema.ts";

export const list = operation({
  id: "listMentions",
  method: "get",
  charges: true,
  path: "/v1/mentions",
  tag: "Mentions",
  summary: "Mentions, newest first",
  description:
    "1 row each, and 10 for each commercial row that `details=full` attaches. Newest by the media's publication. Mentions of entities that were merged are found under the canonical entity. A page is cut to what the row pool covers.",
  access: keyAccess("read", attachmentsAccess),
  params: none,
  query: z.strictObject({
    entity_id: entityIdParameter.optional().meta({ description: "Public id (`ent_42`) or its number." }),
    entity_name: z.string().min(1).max(200).optional().meta({
      description: "Name or alias, as the entity lookup compares names; of several entities, the most-mentioned.",
    }),
    ...mentionFilters,
  }),
  errors: ["entity_not_found", "channel_not_found", "appearances_person_only"],
  responses: { 200: { description: "A page of mentions.", json: z.union([mentionList, dryRunBody]) } },
  handle: ({ context, caller, cursors, query: { entity_id, entity_name, ...filters } }) =>
    answerMentionList({
      context,
      caller,
      cursors,
      operation: "listMentions",
      entity: { id: entity_id ?? null, name: entity_name ?? null },
      filters,
    }),
});
