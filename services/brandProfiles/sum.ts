import { sumStaleBrandProfiles } from "../../database/brandProfiles.ts";
import type { ServiceContext } from "../context.ts";

const batchSize = 500;

/**
 * Sums up a batch of brand profiles whose commercial rows have changed; `more` says whether others may be left. Safe from several processes
 * at once, and to repeat.
 */
export async function sumBrandProfiles(
  context: ServiceContext,
  limit: number = batchSize,
): Promise<{ summed: number; more: boolean }> {
  const summed = await sumStaleBrandProfiles(context.pool, limit);
  return { summed, more: summed === limit };
}
