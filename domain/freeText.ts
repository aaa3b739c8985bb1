/** A part of a search that has to occur: words in a row, the last of them only begun where `isPrefix`. */
export interface SearchPiece {
  text: string;
  isPrefix: boolean;
}

const part = /"([^"]*)"?(\*?)|([^\s"]+)/g;

/**
 * Reads a search: words, each of which must occur, `"words in a row"` and `beginning*`. Signs alone are passed over; null where no word is
 * left. Words are folded where they are compared (`folded_words` in the database).
 */
export function parseFreeText(search: string): SearchPiece[] | null {
  const pieces = [...search.replaceAll(/[“”„«»]/g, '"').matchAll(part)]
    .map(([, phrase, star, word = ""]) =>
      phrase === undefined
        ? { text: word.replace(/\*+$/, ""), isPrefix: word.endsWith("*") }
        : { text: phrase, isPrefix: star === "*" },
    )
    .filter(({ text }) => /[\p{L}\p{Nd}]/u.test(text.normalize("NFKD")));
  return pieces.length === 0 ? null : pieces;
}
