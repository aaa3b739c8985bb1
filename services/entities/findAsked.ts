import type { EntityWithMembers } from "../../database/entityMembers.ts";
import type { Queryable } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import { type EntityGroup, entityGroup } from "../../domain/evidence.ts";
import { resolveEntity } from "./resolveEntity.ts";

/** An entity as the filters of a list name it: by id, by name, or not at all. */
export interface AskedEntity {
  id: number | null;
  name: string | null;
  type: EntityGroup | null;
}

/**
 * The entity that filters name, null where they name none. A type narrows a name, and an id must be of it. Throws `entity_not_found`, and
 * `invalid_query` where id and name are of two entities.
 */
export async function findAsked(db: Queryable, { id, name, type }: AskedEntity): Promise<EntityWithMembers | null> {
  const named = name === null ? null : await resolveEntity(db, { by: "name", name, type });
  if (id === null) return named;
  const found = await resolveEntity(db, { by: "id", id });
  if (named !== null && named.entity.numericId !== found.entity.numericId)
    throw new ApiError(
      "invalid_query",
      "The query parameters `entity_id` and `entity_name` name two entities; pass one of them.",
    );
  if (type !== null && entityGroup(found.entity.type) !== type) throw new ApiError("entity_not_found");
  return found;
}
