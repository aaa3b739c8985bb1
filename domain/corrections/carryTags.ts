import { type Alignment, carry } from "./alignment.ts";
import type { EntityTag } from "./types.ts";

/** The tags of replaced segments whose words go on, written as before but for their case, at their new places: by new text. */
export function carryTags(alignment: Alignment): EntityTag[][] {
  const tags: EntityTag[][] = alignment.texts.map(() => []);
  for (const [part, segment] of alignment.before.entries()) {
    for (const tag of segment.tags) {
      const place = carry(alignment, { part, start: tag.charStart, end: tag.charEnd });
      if (place?.isWrittenAlike !== true) continue;
      const { start, end } = place.span;
      tags[place.span.part]?.push({ ...tag, charStart: start, charEnd: end });
    }
  }
  return tags;
}
