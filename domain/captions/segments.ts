import { type CaptionCue, type CueWord, joinWords, type WordedCue, wordedCue } from "./cues.ts";
import { unrollCues } from "./rolling.ts";
import { readSpeakerMark, recurringLabels } from "./speakers.ts";

interface CaptionWord {
  text: string;
  startSeconds: number;
  endSeconds: number;
}

/** What one speaker says in one cue. */
export interface CaptionSegment {
  startSeconds: number;
  endSeconds: number;
  text: string;
  /** The label in the file of who speaks; a label that stands before a line holds until the next turn. */
  speaker: string | null;
  /** Whether the file says that somebody begins to speak here. */
  startsTurn: boolean;
  /** Only where the file times words; joined by spaces they are the text. */
  words: CaptionWord[] | null;
}

/** Words of one cue that one speaker says. */
interface Passage {
  speaker: string | null;
  startsTurn: boolean;
  words: CueWord[];
}

interface TimedWord extends CaptionWord {
  isTimed: boolean;
}

/** `[Music]`, `(laughs)`: nobody says that. */
const soundsOnly = /^(?:\s|[#*]|\[[^\]]*\]|\([^)]*\))*$/u;

/** Turns the cues of a caption file into what is said, in the order of the recording: rolling repeats undone, speakers told from the text. */
export function segmentsFromCues(cues: readonly CaptionCue[]): CaptionSegment[] {
  const inOrder = cues.toSorted((a, b) => a.startSeconds - b.startSeconds);
  const worded = unrollCues(inOrder.map((cue) => wordedCue(cue)).filter((cue) => cue.lines.length > 0));
  const known = recurringLabels(worded.flatMap((cue) => cue.lines.map((line) => joinWords(line))));
  let speaker: string | null = null;
  return worded.flatMap((cue) => {
    const passages = readPassages(cue, speaker, (label) => known.has(label));
    speaker = passages.at(-1)?.speaker ?? speaker;
    return segmentsOfCue(cue, passages);
  });
}

function readPassages(cue: WordedCue, before: string | null, isKnown: (label: string) => boolean): Passage[] {
  const passages: Passage[] = [];
  let speaker = before;
  for (const line of cue.lines) {
    for (const said of sameVoice(line)) {
      const voice = said[0]?.voice ?? null;
      const mark = readSpeakerMark(joinWords(said), isKnown);
      const words = lastCharacters(said, mark.text.length);
      const startsTurn = mark.turn || (voice !== null && voice !== speaker);
      if (voice !== null) speaker = voice;
      else if (mark.turn) speaker = mark.label;
      const open = passages.at(-1);
      if (open !== undefined && !startsTurn && open.speaker === speaker) open.words.push(...words);
      else passages.push({ speaker, startsTurn, words });
    }
  }
  return passages;
}

function sameVoice(line: readonly CueWord[]): CueWord[][] {
  const runs: CueWord[][] = [];
  for (const word of line) {
    const run = runs.at(-1);
    if (run !== undefined && run[0]?.voice === word.voice) run.push(word);
    else runs.push([word]);
  }
  return runs;
}

/** The words that make up the last `length` characters of the text, the first of them cut where the text is. */
function lastCharacters(words: readonly CueWord[], length: number): CueWord[] {
  let toDrop = joinWords(words).length - length;
  return words.flatMap((word) => {
    const text = word.text.slice(Math.max(0, toDrop));
    toDrop -= word.text.length + 1;
    return text === "" ? [] : [{ ...word, text }];
  });
}

function segmentsOfCue(cue: WordedCue, passages: readonly Passage[]): CaptionSegment[] {
  const words = timeWords(
    cue,
    passages.flatMap((passage) => passage.words),
  );
  const isTimed = words.some((word) => word.isTimed);
  let at = 0;
  return passages.flatMap(({ speaker, startsTurn, words: own }, index) => {
    const timed = words.slice(at, at + own.length);
    at += own.length;
    const text = joinWords(timed);
    if (soundsOnly.test(text)) return [];
    const startSeconds = index === 0 ? cue.startSeconds : (timed[0]?.startSeconds ?? cue.startSeconds);
    const endSeconds = timed.at(-1)?.endSeconds ?? cue.endSeconds;
    const kept = timed.map((word) => ({
      text: word.text,
      startSeconds: word.startSeconds,
      endSeconds: word.endSeconds,
    }));
    return [{ startSeconds, endSeconds, text, speaker, startsTurn, words: isTimed ? kept : null }];
  });
}

/** Gives each word its time: the file's, else a share of the time between the timed words around it by length. */
function timeWords(cue: WordedCue, words: readonly CueWord[]): TimedWord[] {
  const starts = words.map(({ startSeconds }) =>
    startSeconds === null ? null : Math.min(Math.max(startSeconds, cue.startSeconds), cue.endSeconds),
  );
  const isTimed = starts.map((start) => start !== null);
  if (starts[0] === null) starts[0] = cue.startSeconds;
  const known = [...starts.keys()].filter((index) => starts[index] !== null);
  known.forEach((from, position) => {
    const to = known[position + 1] ?? words.length;
    const begin = starts[from] ?? cue.startSeconds;
    const end = Math.max(begin, starts[to] ?? cue.endSeconds);
    const lengths = words.slice(from, to).map((word) => word.text.length + 1);
    const total = lengths.reduce((sum, length) => sum + length, 0);
    let passed = 0;
    lengths.forEach((length, offset) => {
      starts[from + offset] = begin + ((end - begin) * passed) / total;
      passed += length;
    });
  });
  return words.map(({ text }, index) => {
    const startSeconds = milliseconds(starts[index] ?? cue.startSeconds);
    const endSeconds = milliseconds(starts[index + 1] ?? cue.endSeconds);
    return { text, startSeconds, endSeconds: Math.max(startSeconds, endSeconds), isTimed: isTimed[index] ?? false };
  });
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
