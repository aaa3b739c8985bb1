import { z } from "zod";
import { entityGroups } from "../../../domain/evidence.ts";
import { lookUpEntity } from "../../../services/entities/lookUpEntity.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { entityReference, shapeEntityReference } from "../evidence/schema.ts";
import { entity, nameParameter, shapeEntity } from "./schema.ts";

const found = z
  .object({
    entity,
    match: z
      .enum(["exact", "alias"])
      .meta({ description: "`alias`: the name is an alias, or one of an entity that was merged into this one." }),
    candidates: z.array(entityReference).meta({
      description: "Other entities of that name, most-mentioned first, at most 20.",
    }),
  })
  .meta({ id: "EntityLookup" });

export const lookup = operation({
  id: "lookUpEntity",
  method: "get",
  path: "/v1/entities/lookup",
  tag: "Entities",
  summary: "Resolve a name to an entity",
  description:
    "Free. The entity of exactly this name or alias, after merges; case, accents, punctuation and a leading “the” do not matter. Of several, the most-mentioned; `candidates` lists the others.",
  access: keyAccess("read"),
  params: none,
  query: z.strictObject({
    name: nameParameter.meta({ description: "Name or alias.", example: "Ada Lovelace" }),
    type: z
      .enum(entityGroups)
      .optional()
      .meta({ description: "Only entities of this type; legacy types are organizations." }),
  }),
  errors: ["entity_not_found"],
  responses: { 200: { description: "The entity.", json: found } },
  async handle({ context, query }) {
    const answer = await lookUpEntity(context, { name: query.name, group: query.type ?? null });
    return {
      status: 200,
      json: {
        entity: shapeEntity(answer.entity, answer.namedId),
        match: answer.match,
        candidates: answer.candidates.map(shapeEntityReference),
      },
    };
  },
});
