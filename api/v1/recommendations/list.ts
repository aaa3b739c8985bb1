import { z } from "zod";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { entityIdParameter } from "../entities/schema.ts";
import { dryRunBody } from "../meteredRead.ts";
import { answerRecommendationList } from "./answerList.ts";
import { narrowingParameters, recommendationList } from "./schema.ts";

export const list = operation({
  id: "listRecommendations",
  method: "get",
  charges: true,
  path: "/v1/recommendations",
  tag: "Recommendations",
  summary: "Commercial rows of an entity or a channel, newest first",
  description:
    "10 rows each. Name an entity, a channel, or both. Rows of entities that were merged are found under the canonical entity. A page is cut to what the row pool covers.",
  access: keyAccess("recommendations:read", { proPlus: true }),
  params: none,
  query: z.strictObject({
    entity_id: entityIdParameter.optional().meta({ description: "Public id (`ent_42`) or its number." }),
    entity_name: z.string().min(1).max(200).optional().meta({
      description: "Name or alias, as the entity lookup compares names; of several entities, the most-mentioned.",
    }),
    entity_type: z.enum(["person", "organization", "product", "topic", "channel"]).optional().meta({
      description:
        "Narrows `entity_name`, and with a channel alone the rows, to entities of this type; `entity_id` must be of it.",
    }),
    ...narrowingParameters,
  }),
  errors: ["entity_not_found", "channel_not_found"],
  responses: { 200: { description: "A page of commercial rows.", json: z.union([recommendationList, dryRunBody]) } },
  handle: ({ context, caller, cursors, query: { entity_id, entity_name, entity_type, ...query } }) =>
    answerRecommendationList({
      context,
      caller,
      cursors,
      operation: "listRecommendations",
      entity: { id: entity_id ?? null, name: entity_name ?? null, type: entity_type ?? null },
      query,
    }),
});
