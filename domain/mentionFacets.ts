import { type Sentiment, sentiments } from "./evidence.ts";

/** What mentions are narrowed by beside whose they are and where; null: either. */
export interface MentionSigns {
  sentiment: Sentiment | null;
  isAppearance: boolean | null;
  inAd: boolean | null;
}

/**
 * The facets of mentions with these signs. A facet is one number for sentiment, appearance and ad together, as the generated column
 * `mention.facet` has it; a sentiment is positive from 0.2, negative to −0.2, and none matches no sentiment (decisions.md, mentions).
 */
export function mentionFacets(signs: MentionSigns): number[] {
  return [null, ...sentiments].flatMap((sentiment) =>
    [false, true].flatMap((isAppearance) =>
      [false, true]
        .filter(
          (inAd) =>
            (signs.sentiment ?? sentiment) === sentiment &&
            (signs.isAppearance ?? isAppearance) === isAppearance &&
            (signs.inAd ?? inAd) === inAd,
        )
        .map((inAd) => sentimentFacet(sentiment) + (isAppearance ? 2 : 0) + (inAd ? 1 : 0)),
    ),
  );
}

/** How many facets there are: a list that takes all of them is not narrowed. */
export const facetCount = 16;

function sentimentFacet(sentiment: Sentiment | null): number {
  switch (sentiment) {
    case null:
      return 0;
    case "negative":
      return 4;
    case "neutral":
      return 8;
    case "positive":
      return 12;
  }
}
