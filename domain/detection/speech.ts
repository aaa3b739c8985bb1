import type { DetectionInput, Place, SpokenSegment } from "./types.ts";
import type { Word } from "./word.ts";
import { splitWords } from "./words.ts";

/** A word with the index of its segment and of its sentence. */
export interface SpokenWord extends Word {
  segment: number;
  sentence: number;
}

/** Words `[first, end)`. */
export interface WordRange {
  first: number;
  end: number;
}

/** All that is said in a video as one stream of words. */
export interface Speech {
  segments: readonly SpokenSegment[];
  words: readonly SpokenWord[];
  sentences: readonly WordRange[];
  /** Whether capital letters tell names apart. */
  hasCapitals: boolean;
  /** For cue patterns: folded words apart by spaces, with "," and "." of their own where sentences pause and end, and signs in words ("$5" → "5 dollars"). */
  plain: string;
  /** Where each word begins in `plain`. */
  plainStarts: readonly number[];
}

const separatingPauseSeconds = 2;
const longestSentenceWords = 60;
// Without punctuation, a sentence is taken to end with a segment, but not after a few words: captions break anywhere.
const leastSentenceWords = 10;

/** Reads the segments as one stream, in which names and sentences may run across the borders of segments of one speaker. */
export function readSpeech(segments: DetectionInput["segments"]): Speech {
  const split = segments.map((segment) => splitWords(segment.text));
  const isPunctuated = looksPunctuated(segments);
  const words: SpokenWord[] = [];
  let sentence = -1;
  let sentenceWords = 0;
  for (const [index, segmentWords] of split.entries()) {
    for (const [position, word] of segmentWords.entries()) {
      const previous = words.at(-1);
      const gap = position > 0 ? word.gap : previous === undefined ? "stop" : gapBetween(segments, index, previous);
      const isOver =
        gap === "stop" ||
        (position === 0 && !isPunctuated && sentenceWords >= leastSentenceWords) ||
        sentenceWords >= longestSentenceWords;
      if (isOver) sentence += 1;
      sentenceWords = isOver ? 1 : sentenceWords + 1;
      words.push({ ...word, gap, segment: index, sentence });
    }
  }
  return {
    segments,
    words,
    sentences: rangesOf(words),
    hasCapitals: looksCapitalised(words),
    ...plainText(words, segments),
  };
}

/**
 * Where words are in the transcript, or those characters of them that are `told`: a word can be a whole sentence where none are written apart.
 * A range that goes on in a further segment ends with the first one's text.
 */
export function placeOf(
  speech: Speech,
  { first, end }: WordRange,
  told: { charStart: number; charEnd: number } = { charStart: 0, charEnd: Infinity },
): Place {
  const { words, segments } = speech;
  const start = words[first];
  const last = words[end - 1];
  const segment = segments[start?.segment ?? 0];
  if (start === undefined || last === undefined || segment === undefined) throw new RangeError("no words in the range");
  const lastSegment = segments[last.segment] ?? segment;
  const whole = {
    segmentId: segment.id,
    charStart: start.start,
    charEnd: last.segment === start.segment ? last.end : segment.text.length,
    startSeconds: secondsAt(segment, start.start, "start"),
    endSeconds: secondsAt(lastSegment, last.end, "end"),
  };
  const charStart = Math.max(whole.charStart, told.charStart);
  const charEnd = Math.min(whole.charEnd, told.charEnd);
  if (last.segment !== start.segment || (charStart === whole.charStart && charEnd === whole.charEnd)) return whole;
  // The words share out their time by the length of their parts.
  const perCharacter = (whole.endSeconds - whole.startSeconds) / (whole.charEnd - whole.charStart);
  const secondsOf = (character: number) =>
    Math.round((whole.startSeconds + (character - whole.charStart) * perCharacter) * 1000) / 1000;
  return { ...whole, charStart, charEnd, startSeconds: secondsOf(charStart), endSeconds: secondsOf(charEnd) };
}

/** The text of words as it is written, segments joined by a space, with the punctuation that follows. */
export function textOf({ words, segments }: Speech, { first, end }: WordRange): string {
  const parts: string[] = [];
  for (let index = first; index < end;) {
    const start = words[index];
    if (start === undefined) break;
    let last = start;
    while (index < end && words[index]?.segment === start.segment) {
      last = words[index] ?? last;
      index += 1;
    }
    const { text } = segments[start.segment] ?? { text: "" };
    const opening = /[$€£"“‘'([]*$/.exec(text.slice(0, start.start))?.[0].length ?? 0;
    const closing = /^[.,;:!?%"”’')\]…]*/.exec(text.slice(last.end))?.[0].length ?? 0;
    parts.push(text.slice(start.start - opening, last.end + closing));
  }
  return parts.join(" ");
}

/** The sentence that a word is in. */
export function sentenceAt(speech: Speech, word: number): WordRange {
  return speech.sentences[speech.words[word]?.sentence ?? 0] ?? { first: word, end: word + 1 };
}

/** How many sentences end between one word and a later one, as far as punctuation, pauses and speakers tell. */
export function stopsBetween({ words }: Speech, from: number, to: number): number {
  let stops = 0;
  for (let index = from + 1; index <= to; index += 1) if (words[index]?.gap === "stop") stops += 1;
  return stops;
}

/** Seconds at a character of a segment: of the word there where words have times, else by its part of the text. */
function secondsAt(segment: SpokenSegment, character: number, side: "start" | "end"): number {
  const share = segment.text.length === 0 ? 0 : character / segment.text.length;
  const interpolated = segment.startSeconds + share * (segment.endSeconds - segment.startSeconds);
  let at = 0;
  for (const word of segment.words ?? []) {
    const found = segment.text.indexOf(word.text, at);
    if (found < 0) continue;
    const end = found + word.text.length;
    if (side === "start" ? end > character : end >= character)
      return side === "start" ? word.startSeconds : word.endSeconds;
    at = end;
  }
  return Math.round(interpolated * 1000) / 1000;
}

function gapBetween(segments: readonly SpokenSegment[], index: number, previous: SpokenWord): Word["gap"] {
  const before = segments[previous.segment];
  const segment = segments[index];
  if (before === undefined || segment === undefined) return "stop";
  if (before.speaker?.id !== segment.speaker?.id) return "stop";
  if (segment.startSeconds - before.endSeconds >= separatingPauseSeconds) return "stop";
  const tail = before.text.slice(previous.end);
  if (/[.!?…]/.test(tail) || /^\s*(?:[-–—>]|>>)/.test(segment.text)) return "stop";
  return /[,;:–—]/.test(tail) ? "pause" : "none";
}

function rangesOf(words: readonly SpokenWord[]): WordRange[] {
  const ranges: WordRange[] = [];
  for (const [index, { sentence }] of words.entries()) {
    const range = ranges[sentence];
    if (range === undefined) ranges[sentence] = { first: index, end: index + 1 };
    else range.end = index + 1;
  }
  return ranges;
}

function looksPunctuated(segments: readonly SpokenSegment[]): boolean {
  const marks = segments.reduce((sum, { text }) => sum + (text.match(/[.!?](?:\s|$|["”])/g)?.length ?? 0), 0);
  const words = segments.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  return marks > 0 && marks >= words / 60;
}

/** Capitals tell something where there are some, and where they are not everywhere. */
function looksCapitalised(words: readonly SpokenWord[]): boolean {
  const inside = words.filter((word, index) => word.gap !== "stop" && index > 0 && /^\p{L}{2}/u.test(word.norm));
  const starts = words.filter((word) => word.gap === "stop");
  const startCapitals = starts.filter((word) => word.capitals !== "none").length;
  const capitals = inside.filter((word) => word.capitals !== "none").length;
  return capitals <= inside.length * 0.7 && (capitals > 0 ? capitals >= 1 : startCapitals >= starts.length * 0.7);
}

function plainText(
  words: readonly SpokenWord[],
  segments: readonly SpokenSegment[],
): { plain: string; plainStarts: number[] } {
  const starts: number[] = [];
  let plain = "";
  let money = false;
  for (const [index, word] of words.entries()) {
    const glued = /^[./]$/.test(word.before) && index > 0;
    if (glued) plain += word.before === "." ? " dot" : " slash";
    else if (word.gap === "stop") plain += index === 0 ? "" : " .";
    else if (word.gap === "pause") plain += " ,";
    if (plain !== "") plain += " ";
    starts.push(plain.length);
    plain += word.norm;
    if (/[$€£]/.test(word.before)) money = true;
    const text = segments[word.segment]?.text ?? "";
    const after = text[word.end];
    if (after === "%") plain += " percent";
    // "$5.99" is one sum.
    const goesOn = after === "." && /\d/.test(text[word.end + 1] ?? "");
    if (money && !goesOn) {
      plain += " dollars";
      money = false;
    }
  }
  return { plain: `${plain} .`, plainStarts: starts };
}
