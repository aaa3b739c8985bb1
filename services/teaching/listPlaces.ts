import { type CarriedPlace, listPlaces, type PlaceKey } from "../../database/taughtPlaces.ts";
import type { ServiceContext } from "../context.ts";
import { requireName } from "./read.ts";

/** A page of the places of an accepted name, and what became of them. Throws `taught_name_not_found`. */
export async function listCarried(
  { pool }: ServiceContext,
  id: number,
  { limit, after }: { limit: number; after: PlaceKey | null },
): Promise<{ places: readonly CarriedPlace[]; hasMore: boolean }> {
  await requireName(pool, id);
  const found = await listPlaces(pool, id, { limit: limit + 1, after });
  return { places: found.slice(0, limit), hasMore: found.length > limit };
}
