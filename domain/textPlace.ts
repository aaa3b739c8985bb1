/** Characters `[charStart, charEnd)` (UTF-16) of a segment's text. */
export interface TextPlace {
  segmentId: string;
  charStart: number;
  charEnd: number;
}

/** Whether two places share characters. */
export function overlapInText(a: TextPlace, b: TextPlace): boolean {
  return a.segmentId === b.segmentId && a.charStart < b.charEnd && b.charStart < a.charEnd;
}
