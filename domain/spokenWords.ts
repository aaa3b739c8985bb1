import { foldName } from "./names.ts";

/** A word of a text: folded (`foldName`), with the UTF-16 code units `[charStart, charEnd)` that it stands at. */
export interface SpokenWord {
  word: string;
  charStart: number;
  charEnd: number;
}

/** Signs of the scripts that are written without spaces. The database parts words at these too (`said_words` and `said_signs`). */
const signs = String.raw`\p{Script=Han}\p{scx=Hira}\p{scx=Kana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;

/** Runs of letters, digits, marks and apostrophes; of scripts that nothing parts, each sign by itself, with the marks on it. */
const candidate = new RegExp(
  `(?<sign>[${signs}][\\p{M}\\uff9e\\uff9f]*)|(?:(?![${signs}])[\\p{L}\\p{N}\\p{M}'’ʼ\`])+`,
  "gu",
);
const startsWithSign = new RegExp(`^[${signs}]`, "u");
/** What a sign stands for: its marks say which it is, as a tone or a vowel, and are no accents. */
const signParts = new RegExp(`[${signs}][[${signs}]&&\\p{M}]*|[\\p{L}\\p{N}]+`, "gv");

/** The words of a text, folded as mentions are for their search (`folded_words` in the database), with their places. */
export function spokenWords(text: string): SpokenWord[] {
  const found: SpokenWord[] = [];
  for (const { 0: written, index, groups } of text.matchAll(candidate)) {
    if (groups?.["sign"] !== undefined) {
      const place = { charStart: index, charEnd: index + written.length };
      for (const word of foldSign(written)) found.push({ word, ...place });
      continue;
    }
    const quoted = /^['’ʼ`]*/.exec(written)?.[0].length ?? 0;
    const bare = written.slice(quoted).replace(/['’ʼ`]+$/, "");
    const place = { charStart: index + quoted, charEnd: index + quoted + bare.length };
    for (const word of foldWord(bare)) found.push({ word, ...place });
  }
  return found;
}

/** Whether a folded word is a sign of a script that is written without spaces. */
export function isSign(word: string): boolean {
  return startsWithSign.test(word);
}

/** Usually one word; a sign that stands for several, such as ½ or ﷺ, is these. */
function foldWord(written: string): string[] {
  if (/^[A-Za-z0-9]+$/.test(written)) return [written.toLowerCase()];
  return foldName(written)
    .split(" ")
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** Compatibility forms are unified (UAX #15), as half-width kana; punctuation of these scripts is no word. */
function foldSign(written: string): string[] {
  return [...written.normalize("NFKC").matchAll(signParts)]
    .map(([part]) => (isSign(part) ? part : foldName(part)))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}
