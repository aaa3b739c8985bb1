import type { Entity } from "../../database/entities.ts";
import { findByNames, type NamedFinding } from "../../database/entityLookup.ts";
import type { Pool } from "../../database/pool.ts";
import { ApiError } from "../../domain/errors.ts";
import type { EntityGroup } from "../../domain/evidence.ts";
import { foldName } from "../../domain/names.ts";
import { createBatches } from "../batches.ts";
import type { ServiceContext } from "../context.ts";

const maxCandidates = 20;

interface Ask {
  key: string;
  group: EntityGroup | null;
}

/** One queue a pool, so that a process's lookups of one moment share a statement. */
const queues = new WeakMap<Pool, (ask: Ask) => Promise<NamedFinding[]>>();

function queueOf(pool: Pool): (ask: Ask) => Promise<NamedFinding[]> {
  const known = queues.get(pool);
  if (known !== undefined) return known;
  const queue = createBatches({
    run: (asks: readonly Ask[]) => findByNames(pool, asks, maxCandidates + 1),
    laneOf: ({ key }) => key,
  });
  queues.set(pool, queue);
  return queue;
}

/**
 * The canonical entity of a name, whatever its case, accents and punctuation; of several the most-mentioned, with at most 20 of the others.
 * `alias`: the name is an alias, or one of an entity that was merged into it. `namedId`: whose name it is. Throws `entity_not_found`.
 */
export async function lookUpEntity(
  context: ServiceContext,
  ask: { name: string; group: EntityGroup | null },
): Promise<{ entity: Entity; namedId: number; match: "exact" | "alias"; candidates: readonly Entity[] }> {
  const [first, ...others] = await queueOf(context.pool)({ key: foldName(ask.name), group: ask.group });
  if (first === undefined) throw new ApiError("entity_not_found");
  return {
    entity: first.entity,
    namedId: first.namedId,
    match: first.isOwnName ? "exact" : "alias",
    candidates: others.map(({ entity }) => entity),
  };
}
