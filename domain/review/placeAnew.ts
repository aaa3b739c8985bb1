/** Where words stand in the text of a segment, in UTF-16 code units. */
export interface TextPlace {
  charStart: number;
  charEnd: number;
}

/** Where words are in a text that may have changed since they were found in it: where they were, else the nearest place; null: nowhere. */
export function placeAnew(text: string, { charStart, charEnd }: TextPlace, words: string): TextPlace | null {
  if (text.slice(charStart, charEnd) === words) return { charStart, charEnd };
  if (words === "") return null;
  let nearest: number | null = null;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (nearest === null || Math.abs(at - charStart) < Math.abs(nearest - charStart)) nearest = at;
  return nearest === null ? null : { charStart: nearest, charEnd: nearest + words.length };
}
