import type { Entity } from "../../database/entities.ts";
import { listEntitiesByPrefix } from "../../database/entityMembers.ts";
import type { Queryable } from "../../database/pool.ts";
import type { EntityGroup } from "../../domain/evidence.ts";
import { foldName } from "../../domain/names.ts";

const most = 5;

/** Entities whose names begin as a name that was not found does: with all of it, else with its first words, else with its first letters. */
export async function nearestEntities(db: Queryable, name: string, group: EntityGroup): Promise<readonly Entity[]> {
  const key = foldName(name);
  const words = key.split(" ");
  const beginnings = [
    ...words.map((_, dropped) => words.slice(0, words.length - dropped).join(" ")),
    key.slice(0, Math.max(3, Math.floor(key.length / 2))),
    key.slice(0, 3),
  ];
  for (const beginning of new Set(beginnings.slice(-6))) {
    const found = await listEntitiesByPrefix(db, beginning, group, most);
    if (found.length > 0) return found;
  }
  return [];
}
