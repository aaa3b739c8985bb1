import type { ServiceContext } from "../services/context.ts";
import { applyChanges, buildWantedSet, purgeRelations } from "../services/related/keepRelations.ts";
import { withHeartbeats } from "./heartbeats.ts";

export type RelatedEntitiesActivities = ReturnType<typeof createRelatedEntitiesActivities>;

/** Steps that keep related entities counted; each is one transaction, so that a worker may die in any of them. */
export function createRelatedEntitiesActivities({ context }: { context: ServiceContext }) {
  return {
    applyEvidenceChanges: (): Promise<{ changes: number; more: boolean }> => applyChanges(context),
    buildWantedSet: (): Promise<{ built: boolean; more: boolean }> => withHeartbeats(() => buildWantedSet(context)),
    purgeRelations: (): Promise<{ deleted: number; more: boolean }> => purgeRelations(context),
  };
}
