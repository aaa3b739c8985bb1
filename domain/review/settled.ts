/** Kinds of evidence that reviewers settle. A commercial row is settled whatever its class. */
export type SettledKind = "mention" | "appearance" | "commercial";

/** Where something of an entity stands in a video. */
export interface SettledPlace {
  kind: SettledKind;
  /** The canonical entity's. */
  entityId: number;
  startSeconds: number;
  endSeconds: number;
}

/** Makes the test whether reviewers have settled what is at a place: then what detection finds there does not count. */
export function settledBy(places: readonly SettledPlace[]): (found: SettledPlace) => boolean {
  return (found) =>
    places.some(
      (place) =>
        place.kind === found.kind &&
        place.entityId === found.entityId &&
        (place.startSeconds === found.startSeconds ||
          (place.startSeconds < found.endSeconds && found.startSeconds < place.endSeconds)),
    );
}
