import { z } from "zod";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { entityIdParameter } from "../entities/schema.ts";
import { dryRunBody } from "../meteredRead.ts";
import { answerRecommendationList } from "./answerList.ts";
import { narrowingParameters, recommendationList } from "./schema.ts";

export const ofEntity = operation({
  id: "listEntityRecommendations",
  method: "get",
  charges: true,
  path: "/v1/entities/{id}/recommendations",
  tag: "Recommendations",
  summary: "Commercial rows of an entity, newest first",
  description: "10 rows each. As `GET /v1/recommendations` with this entity.",
  access: keyAccess("recommendations:read", { proPlus: true }),
  params: z.strictObject({ id: entityIdParameter }),
  query: z.strictObject(narrowingParameters),
  errors: ["entity_not_found", "channel_not_found"],
  responses: { 200: { description: "A page of commercial rows.", json: z.union([recommendationList, dryRunBody]) } },
  handle: ({ context, caller, cursors, params, query }) =>
    answerRecommendationList({
      context,
      caller,
      cursors,
      operation: "listEntityRecommendations",
      entity: { id: params.id, name: null, type: null },
      query,
    }),
});
