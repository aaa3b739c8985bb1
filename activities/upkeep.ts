import { sumBrandProfiles } from "../services/brandProfiles/sum.ts";
import type { ServiceContext } from "../services/context.ts";
import { purgeIdempotencyKeys } from "../services/idempotency/purge.ts";
import { retypeMentionBatch } from "../services/mentions/retype.ts";

export type UpkeepActivities = ReturnType<typeof createUpkeepActivities>;

/** Steps of the schedules that keep the database in order; each is one short statement. */
export function createUpkeepActivities({ context }: { context: ServiceContext }) {
  return {
    purgeIdempotencyKeys: (): Promise<{ deleted: number; more: boolean }> => purgeIdempotencyKeys(context),
    sumBrandProfiles: (): Promise<{ summed: number; more: boolean }> => sumBrandProfiles(context),
    retypeMentionBatch: (): Promise<{ mentions: number; more: boolean }> => retypeMentionBatch(context),
  };
}
