import { z } from "zod";
import { readCuratedEntity } from "../../../services/entities/readCuratedEntity.ts";
import { internalAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { entityIdParameter } from "../../v1/entities/schema.ts";
import { shapeCuratedEntity, wrappedEntity } from "./schema.ts";

export const getInternalEntity = operation({
  id: "getCuratedEntity",
  method: "get",
  path: "/internal/entities/{id}",
  tag: "Entities",
  summary: "Read an entity",
  description:
    "As under `/v1`, with what only operators see. An id that was merged into another answers with the canonical entity.",
  access: internalAccess,
  params: z.strictObject({ id: entityIdParameter }),
  query: none,
  errors: ["entity_not_found"],
  responses: { 200: { description: "The entity.", json: wrappedEntity } },
  async handle({ context, params }) {
    const record = await readCuratedEntity(context.pool, params.id);
    return { status: 200, json: { entity: shapeCuratedEntity(record, params.id) } };
  },
});
