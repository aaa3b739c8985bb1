import { overlapInText, type TextPlace } from "../textPlace.ts";

/** Kinds of evidence that reviewers settle. A commercial row is settled whatever its class. */
export type SettledKind = "mention" | "appearance" | "commercial";

/** Where something of an entity stands in a video. */
interface SettledPlace {
  kind: SettledKind;
  /** The canonical entity's. */
  entityId: number;
  /** Both null where the time is unknown; both 0 of a commercial row for the full episode. */
  startSeconds: number | null;
  endSeconds: number | null;
}

/** What a reviewer settled. */
export interface Settled extends SettledPlace {
  /** Where its words are in the transcript: what is found in them is settled, whenever they are said. Null: not known, the time tells. */
  words: TextPlace | null;
  /** Whether a reviewer said when it is, so that the time tells too. */
  isRetimed: boolean;
}

/** What detection found, or an import says. */
export interface Found extends SettledPlace {
  /** Null: not in the text of a transcript. */
  words: TextPlace | null;
}

/**
 * Makes the test whether reviewers have settled what is at a place: then what detection finds there, or an import says of it, does not count.
 * What has no time, or is of the full episode, meets only its like.
 */
export function settledBy(places: readonly Settled[]): (found: Found) => boolean {
  return (found) =>
    places.some((place) => {
      if (place.kind !== found.kind || place.entityId !== found.entityId) return false;
      if (place.words === null || found.words === null) return meets(place, found);
      return overlapInText(place.words, found.words) || (place.isRetimed && meets(place, found));
    });
}

function meets(place: SettledPlace, found: SettledPlace): boolean {
  const [settled, told] = [spanOf(place), spanOf(found)];
  if (settled === null || told === null)
    return place.startSeconds === found.startSeconds && place.endSeconds === found.endSeconds;
  return settled.start === told.start || (settled.start < told.end && told.start < settled.end);
}

/** Null where it has no time of its own. */
function spanOf({ kind, startSeconds: start, endSeconds: end }: SettledPlace): { start: number; end: number } | null {
  if (start === null || end === null || (kind === "commercial" && end === 0)) return null;
  return { start, end };
}
