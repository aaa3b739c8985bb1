import type { EntityType } from "./entities.ts";

/** Classes of commercial passages (specification, "Recommendation row"). */
export const mentionClasses = ["ad_read", "endorsement", "mention"] as const;
export type MentionClass = (typeof mentionClasses)[number];

/** Parts that a person can play in a video (decisions.md, appearances). */
export const appearanceRoles = [
  "host",
  "co_host",
  "guest",
  "panelist",
  "correspondent",
  "audience",
  "soundbite",
] as const;
export type AppearanceRole = (typeof appearanceRoles)[number];

export const conflictStatuses = ["none", "disputed", "resolved"] as const;
export type ConflictStatus = (typeof conflictStatuses)[number];

export const sentiments = ["positive", "neutral", "negative"] as const;
export type Sentiment = (typeof sentiments)[number];

/** Types that callers filter by; legacy types are found under their group (specification, "Entity"). */
export const entityGroups = ["person", "organization", "product", "topic", "channel", "unknown"] as const;
export type EntityGroup = (typeof entityGroups)[number];

/** The group of a type: `company` and `brand` are organizations. */
export function entityGroup(type: EntityType): EntityGroup {
  return type === "company" || type === "brand" ? "organization" : type;
}

/** Public id of a mention. */
export function mentionId(id: number): string {
  return `men_${id}`;
}

/** Public id of a commercial row. */
export function recommendationId(id: number): string {
  return `com_${id}`;
}

/** Seconds as `MM:SS`; minutes run on past 59 (decisions.md, recommendation row). */
export function minutesAndSeconds(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${String(Math.floor(whole / 60)).padStart(2, "0")}:${String(whole % 60).padStart(2, "0")}`;
}

/** The types that a filter by group finds. */
export function typesOfGroup(group: EntityGroup): readonly EntityType[] {
  return group === "organization" ? ["organization", "company", "brand"] : [group];
}
