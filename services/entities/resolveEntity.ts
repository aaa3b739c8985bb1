import {
  type EntityWithMembers,
  findEntityById,
  findEntityByName,
  findEntityBySlug,
} from "../../database/entityMembers.ts";
import type { Queryable } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import type { EntityGroup } from "../../domain/evidence.ts";
import { foldName } from "../../domain/names.ts";

/** How a caller names an entity. A type narrows a name to entities of its group. */
export type EntitySelector =
  | { by: "id"; id: number }
  | { by: "slug"; slug: string }
  | { by: "name"; name: string; type: EntityGroup | null };

/**
 * The canonical entity that a caller means, with the ids whose evidence is its own; of several with one name, the most-mentioned. Throws
 * `entity_not_found`.
 */
export async function resolveEntity(db: Queryable, selector: EntitySelector): Promise<EntityWithMembers> {
  const found = await find(db, selector);
  if (found === null) throw new ApiError("entity_not_found");
  return found;
}

function find(db: Queryable, selector: EntitySelector): Promise<EntityWithMembers | null> {
  switch (selector.by) {
    case "id":
      return findEntityById(db, selector.id);
    case "slug":
      return findEntityBySlug(db, selector.slug);
    case "name":
      return findEntityByName(db, foldName(selector.name), selector.type);
  }
}
