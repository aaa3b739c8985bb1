import type { Correction } from "../../database/feedback.ts";
import { type EntityName, listEntityNames } from "../../database/reviewTargets.ts";
import { entityNumber, namedIn } from "../../domain/review/changes.ts";
import type { ServiceContext } from "../context.ts";
import type { CurrentItem } from "./readCurrentItems.ts";
import type { Review } from "./readReview.ts";

/** What the entities that corrections are about, or say instead, or that the index has there now, are called, by their numbers. */
export async function nameReviewed(
  context: ServiceContext,
  evidence: Review["evidence"],
): Promise<ReadonlyMap<number, EntityName>> {
  return nameEntities(
    context,
    evidence.flatMap(({ correction, evidence: { current } }) => [
      ...namedBy(correction),
      ...(current === null ? [] : foundIn(current)),
    ]),
  );
}

/** What entities are called, by their numbers; those that do not exist are left out. */
export async function nameEntities(
  { pool }: ServiceContext,
  entityIds: readonly number[],
): Promise<ReadonlyMap<number, EntityName>> {
  const names = await listEntityNames(pool, [...new Set(entityIds)]);
  return new Map(names.map((each) => [each.entityId, each]));
}

function namedBy({ itemKind, itemId, issueType, suggestedChange, resolution }: Correction): number[] {
  const item = entityNumber.safeParse(itemId);
  return [
    ...(item.success ? [item.data] : []),
    ...namedIn(itemKind, issueType, suggestedChange).entityIds,
    ...(resolution === null ? [] : namedIn(itemKind, resolution.issueType, resolution.change).entityIds),
  ];
}

function foundIn(current: CurrentItem): number[] {
  switch (current.kind) {
    case "mention":
      return [current.mention.entity.numericId];
    case "recommendation":
      return [current.recommendation.entity.numericId];
    case "alert":
      return [current.alert.entity.numericId];
    case "entity":
    case "sponsor":
      return [current.entity.numericId, ...(current.entity.ownerId === null ? [] : [current.entity.ownerId])];
  }
}
