import type { EntityWithMembers } from "../../database/entityMembers.ts";
import type { Queryable } from "../../database/pool.ts";
import { entityId } from "../../domain/entities.ts";
import { ApiError } from "../../domain/errors.ts";
import type { EntityGroup } from "../../domain/evidence.ts";
import { resolveEntity } from "../entities/resolveEntity.ts";
import { nearestEntities } from "./nearestEntities.ts";

/** The entity that a tracker is to watch. Throws `entity_not_found` with the nearest `candidates`. */
export async function resolveWatched(db: Queryable, name: string, type: EntityGroup): Promise<EntityWithMembers> {
  try {
    return await resolveEntity(db, { by: "name", name, type });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "entity_not_found") throw error;
    const nearest = await nearestEntities(db, name, type);
    const candidates = nearest.map((entity) => ({
      id: entityId(entity.numericId),
      name: entity.name,
      type: entity.type,
    }));
    throw new ApiError(
      "entity_not_found",
      candidates.length === 0
        ? "No entity of that type has this name."
        : "No entity of that type has this name; `candidates` lists the nearest.",
      { extra: { candidates } },
    );
  }
}
