import { rowSchemas } from "../../../domain/imports/rows.ts";
import { readCuratedEntity } from "../../../services/entities/readCuratedEntity.ts";
import { saveEntity as save } from "../../../services/entities/saveEntity.ts";
import { internalAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { shapeCuratedEntity, wrappedEntity } from "./schema.ts";

export const saveEntity = operation({
  id: "saveEntity",
  method: "post",
  path: "/internal/entities",
  tag: "Entities",
  summary: "Add or change an entity",
  description:
    "What a line of `import entities` does. It means the entity of its `numeric_id`; without one that of its `platform_id`, then of its `slug`, then of its name and type. What is left out or null stays as it is, and so does what a correction that is applied has put right: revert that first.",
  access: internalAccess,
  params: none,
  query: none,
  body: rowSchemas.entities.meta({ id: "EntityRow" }),
  responses: {
    200: { description: "The entity, which was there, as it is now.", json: wrappedEntity },
    201: { description: "The new entity.", json: wrappedEntity },
  },
  async handle({ transaction, body }) {
    const { entityId, isNew } = await save(transaction, body);
    const json = { entity: shapeCuratedEntity(await readCuratedEntity(transaction, entityId), entityId) };
    return isNew ? { status: 201, json } : { status: 200, json };
  },
});
