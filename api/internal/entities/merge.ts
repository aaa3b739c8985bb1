import { z } from "zod";
import { entityId } from "../../../domain/entities.ts";
import { mergeEntities } from "../../../services/entities/mergeEntities.ts";
import { internalAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { entityIdParameter } from "../../v1/entities/schema.ts";

export const mergeEntity = operation({
  id: "mergeEntity",
  method: "post",
  path: "/internal/entities/{id}/merge",
  tag: "Entities",
  summary: "Merge an entity into another",
  description:
    "From now on reads of the entity, and of all that was merged into it, answer with the other one. A merge of two that are one already is refused, so that no circle closes.",
  access: internalAccess,
  params: z.strictObject({ id: entityIdParameter }),
  query: none,
  body: z
    .strictObject({ into: entityIdParameter.meta({ description: "The entity that stays.", example: "ent_42" }) })
    .meta({ id: "Merge" }),
  errors: ["entity_not_found", "illegal_transition"],
  responses: {
    200: {
      description: "Done.",
      json: z
        .object({
          canonical_id: z.string().meta({ description: "The entity that both are now.", example: "ent_42" }),
          moved: z.int().meta({ description: "Mentions and commercial rows that are now read as its own." }),
        })
        .meta({ id: "Merged" }),
    },
  },
  async handle({ transaction, params, body }) {
    const { canonicalId, moved } = await mergeEntities(transaction, params.id, body.into);
    return { status: 200, json: { canonical_id: entityId(canonicalId), moved } };
  },
});
