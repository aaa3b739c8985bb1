/** A stretch of a cue's line that shares a voice and, where the file times words, a moment. Times in seconds from the start of the recording. */
export interface CuePiece {
  text: string;
  /** Name in the WebVTT voice tag (`<v Name>`) around it. */
  voice: string | null;
  /** From the timestamp tag before it. */
  startSeconds: number | null;
}

interface CueTimes {
  startSeconds: number;
  endSeconds: number;
}

/** One cue of a caption file, as it is shown: without markup, its character references decoded, line by line. */
export interface CaptionCue extends CueTimes {
  lines: CuePiece[][];
}

export interface CueWord {
  text: string;
  voice: string | null;
  /** Null where the file does not time this word. */
  startSeconds: number | null;
}

/** A cue of which only its words are left. */
export interface WordedCue extends CueTimes {
  lines: CueWord[][];
}

/** Characters that are not seen, and notes that say that there is music. */
const unseen = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF♪♫♬]+/gu;

/** The words of each line. A word that markup goes through stays one; only the first word behind a timestamp tag has its time. */
export function wordedCue({ startSeconds, endSeconds, lines }: CaptionCue): WordedCue {
  return { startSeconds, endSeconds, lines: lines.map((line) => wordsOf(line)).filter((words) => words.length > 0) };
}

function wordsOf(line: readonly CuePiece[]): CueWord[] {
  const pieces = line.map((piece) => ({ ...piece, text: piece.text.replaceAll(unseen, "") }));
  const ends: number[] = [];
  for (const { text } of pieces) ends.push((ends.at(-1) ?? 0) + text.length);
  const spent = new Set<number>();
  const text = pieces.map((piece) => piece.text).join("");
  return [...text.matchAll(/\S+/gu)].map((word) => {
    const at = ends.findIndex((end) => end > word.index);
    const piece = pieces[at];
    const startSeconds = spent.has(at) ? null : (piece?.startSeconds ?? null);
    spent.add(at);
    return { text: word[0], voice: piece?.voice ?? null, startSeconds };
  });
}

export function joinWords(words: readonly { text: string }[]): string {
  return words.map((word) => word.text).join(" ");
}
