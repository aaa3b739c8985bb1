/** Types an entity can have. `company` and `brand` are legacy names of organizations, read back as stored (specification, "Entity"). */
export const entityTypes = [
  "person",
  "organization",
  "product",
  "topic",
  "channel",
  "unknown",
  "company",
  "brand",
] as const;
export type EntityType = (typeof entityTypes)[number];

/** The public form of an entity's number. */
export function entityId(numericId: number): string {
  return `ent_${numericId}`;
}

/** Site-relative route of an entity on the public website. */
export function entityRoute(entity: { type: EntityType; slug: string }): string {
  return `/${routeFolder(entity.type)}/${entity.slug}`;
}

function routeFolder(type: EntityType): string {
  switch (type) {
    case "person":
      return "people";
    case "organization":
    case "company":
    case "brand":
      return "organizations";
    case "product":
      return "products";
    case "topic":
      return "topics";
    case "channel":
      return "channels";
    case "unknown":
      return "entities";
  }
}
