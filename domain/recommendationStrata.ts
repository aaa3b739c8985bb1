import { type MentionClass, mentionClasses } from "./evidence.ts";

/** Where bands of confidence begin, after the first at 0; the last holds 1 alone. As `recommendation_stratum` in the database has them. */
const bandStarts = [0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const classSize = 16;
const disputedOffset = 8;

/** What a list of commercial rows is narrowed by, apart from entity, channel and time. */
export interface RecommendationNarrowing {
  mentionClass: MentionClass | "all";
  /** From 0 to 1. */
  minConfidence: number;
  includeDisputed: boolean;
}

/**
 * The strata that hold all rows of a narrowing. Commercial rows are stored by class, dispute and band of confidence, so that a list reads
 * about as many rows as it shows, however many others there are; of the lowest band, rows under `minConfidence` must still be left out.
 */
export function recommendationStrata({
  mentionClass,
  minConfidence,
  includeDisputed,
}: RecommendationNarrowing): number[] {
  const lowestBand = bandStarts.filter((start) => start <= minConfidence).length;
  const bands = Array.from({ length: bandStarts.length + 1 - lowestBand }, (_, index) => lowestBand + index);
  const offsets = includeDisputed ? [0, disputedOffset] : [0];
  return mentionClasses.flatMap((one, place) =>
    mentionClass === "all" || mentionClass === one
      ? offsets.flatMap((offset) => bands.map((band) => place * classSize + offset + band))
      : [],
  );
}
