import { overlapInText, type TextPlace } from "../textPlace.ts";

/** Kinds of evidence that reviewers settle. A commercial row is settled whatever its class. */
export type SettledKind = "mention" | "appearance" | "commercial";

/** Where something of an entity stands in a video. */
interface SettledPlace {
  kind: SettledKind;
  /** The canonical entity's. */
  entityId: number;
  startSeconds: number;
  endSeconds: number;
}

/** What a reviewer settled. */
export interface Settled extends SettledPlace {
  /** Where its words are in the transcript: what is found in them is settled, whenever they are said. Null: not known, the time tells. */
  words: TextPlace | null;
  /** Whether a reviewer said when it is, so that the time tells too. */
  isRetimed: boolean;
}

/** Something that detection found. */
export interface Found extends SettledPlace {
  /** Null: not in the text of a transcript. */
  words: TextPlace | null;
}

/** Makes the test whether reviewers have settled what is at a place: then what detection finds there does not count. */
export function settledBy(places: readonly Settled[]): (found: Found) => boolean {
  return (found) =>
    places.some((place) => {
      if (place.kind !== found.kind || place.entityId !== found.entityId) return false;
      if (place.words === null || found.words === null) return isAtTimeOf(place, found);
      return overlapInText(place.words, found.words) || (place.isRetimed && isAtTimeOf(place, found));
    });
}

function isAtTimeOf(place: SettledPlace, found: SettledPlace): boolean {
  return (
    place.startSeconds === found.startSeconds ||
    (place.startSeconds < found.endSeconds && found.startSeconds < place.endSeconds)
  );
}
