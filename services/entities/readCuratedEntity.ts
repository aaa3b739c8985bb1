import { type Entity, type EntityCuration, readCuration, readEntity } from "../../database/entities.ts";
import type { Queryable } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";

export type CuratedEntity = Entity & EntityCuration;

/** All that is known of an entity, by its own number or that of one merged into it, for operators and so free. Throws `entity_not_found`. */
export async function readCuratedEntity(db: Queryable, id: number): Promise<CuratedEntity> {
  const entity = await readEntity(db, id);
  if (entity === null) throw new ApiError("entity_not_found");
  return { ...entity, ...(await readCuration(db, entity.numericId)) };
}
