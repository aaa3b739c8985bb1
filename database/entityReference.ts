import { z } from "zod";
import { entityTypes } from "../domain/entities.ts";
import { count, sql } from "./pool.ts";

/** Columns of the canonical entity that a row of evidence is about, for statements that join it as `entity`; read with `entityReferenceFields`. */
export const entityReferenceColumns = sql.fragment`entity.id as entity_id, entity.name as entity_name, entity.type as entity_type`;

export const entityReferenceFields = {
  entity_id: count,
  entity_name: z.string(),
  entity_type: z.enum(entityTypes),
};

const entityReferenceRow = z.object(entityReferenceFields);

export const shapeEntityReference = (row: z.output<typeof entityReferenceRow>) => ({
  numericId: row.entity_id,
  name: row.entity_name,
  type: row.entity_type,
});
/** An entity as rows of evidence name it. */
export type EntityReference = ReturnType<typeof shapeEntityReference>;
