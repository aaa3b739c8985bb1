/** What stands between a word and the one before it: at most a space or hyphen, a comma or the like, or the end of a sentence. */
export type Gap = "none" | "pause" | "stop";

/** How a word is written: all small, with a first capital, or with capitals further in ("iPhone", "NASA"). */
export type Capitals = "none" | "first" | "inner";

/** One word of a text, in the form in which names are compared, with the UTF-16 offsets of where it stands. */
export interface Word {
  norm: string;
  start: number;
  end: number;
  capitals: Capitals;
  /** Written with an apostrophe and an s at its end, or an apostrophe alone. */
  possessive: boolean;
  /** Before this word. */
  gap: Gap;
  /** What is written between the word before and this one, such as " ", " $", and the "." of "name.com". */
  before: string;
}
