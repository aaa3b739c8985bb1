import { z } from "zod";
import { entityGroups } from "../../../domain/evidence.ts";
import { type SearchHit, searchEntities } from "../../../services/entities/searchEntities.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { listOf, pageParameters } from "../../http/paging.ts";
import { booleanParameter } from "../../http/parameters.ts";
import { card, nameParameter, shapeCard } from "./schema.ts";

const hit = card
  .extend({
    score: z.number().min(0).max(1).meta({ description: "How well its name or an alias fits; 1 is the same." }),
    has_recommendations_data: z.boolean().meta({ description: "Whether commercial rows are about it." }),
  })
  .meta({ id: "EntitySearchHit" });

const position = z
  .tuple([z.number(), z.number(), z.number()])
  .transform(([score, mentionCount, entityId]) => ({ score, mentionCount, entityId }));

export const search = operation({
  id: "searchEntities",
  method: "get",
  path: "/v1/entities/search",
  tag: "Entities",
  summary: "Search entities by name",
  description:
    "Free. Best first; equal scores by mentions. Typing errors, the order of words, accents and spaces are forgiven, the last word may be unfinished, and aliases and merged names lead to the canonical entity. The list ends after the best few hundred of a text that fits more: write more of the name.",
  access: keyAccess("read"),
  params: none,
  query: z.strictObject({
    q: nameParameter.meta({ description: "A name, or the beginning of one.", example: "ada lovelase" }),
    type: z
      .enum(entityGroups)
      .optional()
      .meta({ description: "Only entities of this type; legacy types are organizations." }),
    has_recommendations_data: booleanParameter({
      description: "Only entities that commercial rows are about, or that none is about. Left out: all.",
    }).optional(),
    ...pageParameters,
  }),
  responses: { 200: { description: "A page of cards.", json: listOf(hit).meta({ id: "EntitySearchList" }) } },
  async handle({ context, caller, query, cursors }) {
    const { q, type, has_recommendations_data, limit, cursor } = query;
    const binding = { operation: "searchEntities", account: caller.accountId, q, type, has_recommendations_data };
    const { hits, next } = await searchEntities(context, {
      text: q,
      group: type ?? null,
      hasRecommendations: has_recommendations_data ?? null,
      limit,
      after: cursors.open(binding, cursor, position),
    });
    const next_cursor = next === null ? null : cursors.seal(binding, [next.score, next.mentionCount, next.entityId]);
    return { status: 200, json: { data: hits.map(shapeHit), has_more: next !== null, next_cursor } };
  },
});

function shapeHit({ entity, score, hasRecommendations }: SearchHit): z.input<typeof hit> {
  return { ...shapeCard(entity), score, has_recommendations_data: hasRecommendations };
}
