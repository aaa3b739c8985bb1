/** How segments are written one after another: what stands before, between and after them. */
export interface WrittenForm<S> {
  opening: string;
  separator: string;
  closing: string;
  /** `position` counts those written so far; null for a segment that has no place in this form. */
  write: (segment: S, position: number) => string | null;
}

/** What the text formats need of a segment; times in seconds. */
export interface TimedText {
  startSeconds: number;
  endSeconds: number;
  text: string;
  speaker: string | null;
}

export const textFormats = ["srt", "vtt", "txt"] as const;
export type TextFormat = (typeof textFormats)[number];

/**
 * `srt`, SubRip: numbered cues, `HH:MM:SS,mmm` times, a blank line between cues; a speaker stands before the text. `vtt`, WebVTT (W3C):
 * `HH:MM:SS.mmm` times, speakers as voice spans, `&`, `<` and `>` escaped. `txt`: a line a segment.
 */
export const textForms: Readonly<Record<TextFormat, WrittenForm<TimedText>>> = {
  srt: {
    opening: "",
    separator: "\n",
    closing: "",
    write: (segment, position) =>
      withText(segment, (text) => `${position + 1}\n${cueTimes(segment, ",")}\n${named(segment.speaker)}${text}\n`),
  },
  vtt: {
    opening: "WEBVTT\n\n",
    separator: "\n",
    closing: "",
    write: (segment) =>
      withText(segment, (text) => `${cueTimes(segment, ".")}\n${voice(segment.speaker)}${escapeCue(text)}\n`),
  },
  txt: {
    opening: "",
    separator: "",
    closing: "",
    write: (segment) => withText(segment, (text) => `${named(segment.speaker)}${text}\n`),
  },
};

/** Blank lines end a cue in both subtitle formats, so a text keeps to one line; one without any word is no cue. */
function withText({ text }: TimedText, write: (text: string) => string): string | null {
  const line = oneLine(text);
  return line === "" ? null : write(line);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A cue has to end after it begins (WebVTT 4.1, "cue timings"). */
function cueTimes({ startSeconds, endSeconds }: TimedText, decimalMark: "," | "."): string {
  const start = Math.round(startSeconds * 1000);
  const end = Math.max(Math.round(endSeconds * 1000), start + 1);
  return `${cueTime(start, decimalMark)} --> ${cueTime(end, decimalMark)}`;
}

function cueTime(milliseconds: number, decimalMark: "," | "."): string {
  const part = (unit: number, size: number) => String(Math.floor(milliseconds / unit) % size).padStart(2, "0");
  const hours = String(Math.floor(milliseconds / 3_600_000)).padStart(2, "0");
  return `${hours}:${part(60_000, 60)}:${part(1000, 60)}${decimalMark}${String(milliseconds % 1000).padStart(3, "0")}`;
}

function named(speaker: string | null): string {
  return speaker === null ? "" : `${oneLine(speaker)}: `;
}

function voice(speaker: string | null): string {
  return speaker === null ? "" : `<v ${escapeCue(oneLine(speaker))}>`;
}

function escapeCue(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
