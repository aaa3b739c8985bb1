import type { EntityGroup } from "./evidence.ts";

/** Groups that related lists have rows of. */
export const relatedGroups = ["person", "product", "topic", "channel"] as const;
export type RelatedGroup = (typeof relatedGroups)[number];

export const relatedSorts = ["date", "name", "mentions"] as const;
export type RelatedSort = (typeof relatedSorts)[number];

export const relatedFields = ["name", "description", "any"] as const;
export type RelatedField = (typeof relatedFields)[number];

/** The group of the entities that are listed for one of a group (specification, "Related lists"). */
export const relatedGroupOf = {
  organization: "channel",
  topic: "product",
  channel: "person",
  product: "topic",
} as const satisfies Partial<Record<EntityGroup, RelatedGroup>>;
export type SubjectGroup = keyof typeof relatedGroupOf;
