import { foldName } from "./names.ts";

/** A word of a text: folded (`foldName`), with the UTF-16 code units `[charStart, charEnd)` that it stands at. */
export interface SpokenWord {
  word: string;
  charStart: number;
  charEnd: number;
}

/** Runs of letters, digits, marks and apostrophes; of Han and Kana, which nothing parts, each sign by itself. */
const candidate = /[\u3040-\u30ff\u3400-\u9fff]|(?:(?![\u3040-\u30ff\u3400-\u9fff])[\p{L}\p{N}\p{M}'’ʼ`])+/gu;

/** The words of a text, folded as mentions are for their search (`folded_words` in the database), with their places. */
export function spokenWords(text: string): SpokenWord[] {
  const found: SpokenWord[] = [];
  for (const { 0: written, index } of text.matchAll(candidate)) {
    const quoted = /^['’ʼ`]*/.exec(written)?.[0].length ?? 0;
    const bare = written.slice(quoted).replace(/['’ʼ`]+$/, "");
    const place = { charStart: index + quoted, charEnd: index + quoted + bare.length };
    for (const word of foldWord(bare)) found.push({ word, ...place });
  }
  return found;
}

/** Usually one word; a sign that stands for several, such as ½ or ﷺ, is these. */
function foldWord(written: string): string[] {
  if (/^[A-Za-z0-9]+$/.test(written)) return [written.toLowerCase()];
  return foldName(written)
    .split(" ")
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}
