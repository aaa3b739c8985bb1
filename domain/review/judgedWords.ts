import { type Alignment, unitsIn } from "../corrections/alignment.ts";
import { carryPlace } from "../corrections/carryPlace.ts";
import type { TextPlace } from "../textPlace.ts";

/** Words of a mention that a reviewer judged. */
export interface JudgedWords {
  mentionId: number;
  /** Whether the mention stands in the index; if not, what was judged is that there is none. */
  hasMention: boolean;
  place: TextPlace;
}

/**
 * Where judged words stand in the new texts, which become the segments `afterIds`; null where they are said no more. A mention goes where its
 * words go. That there is none was judged of the words as they were used: it holds as long as one of the words beside them goes on with them.
 */
export function carryJudged(
  alignment: Alignment,
  afterIds: readonly string[],
  { place, hasMention }: JudgedWords,
): TextPlace | null {
  return hasMention || goesOnWithNeighbour(alignment, place) ? carryPlace(alignment, afterIds, place) : null;
}

function goesOnWithNeighbour({ before, units, forward }: Alignment, place: TextPlace): boolean {
  const part = before.findIndex(({ id }) => id === place.segmentId);
  const { first, end } = unitsIn(units, { part, start: place.charStart, end: place.charEnd });
  const neighbours = [
    [first - 1, first],
    [end, end - 1],
  ].filter(([neighbour]) => units[neighbour ?? -1]?.part === part);
  const goesOn = ([neighbour = -1, beside = -1]: readonly number[]) => {
    const [from, to] = [forward[neighbour] ?? null, forward[beside] ?? null];
    return from !== null && to !== null && from - to === neighbour - beside;
  };
  return neighbours.length === 0 || neighbours.some(goesOn);
}
