import type { TextPlace } from "../textPlace.ts";
import { type Alignment, carry } from "./alignment.ts";

/** Where words of a replaced segment stand in the new texts, which become the segments `afterIds`; null where they are said no more. */
export function carryPlace(alignment: Alignment, afterIds: readonly string[], place: TextPlace): TextPlace | null {
  const part = alignment.before.findIndex(({ id }) => id === place.segmentId);
  const to = carry(alignment, { part, start: place.charStart, end: place.charEnd })?.span;
  const segmentId = afterIds[to?.part ?? -1];
  return to === undefined || segmentId === undefined ? null : { segmentId, charStart: to.start, charEnd: to.end };
}
