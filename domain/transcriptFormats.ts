/** What the text formats need of a segment; times in seconds. */
export interface TimedText {
  startSeconds: number;
  endSeconds: number;
  text: string;
  speaker: string | null;
}

/** SubRip: numbered cues, `HH:MM:SS,mmm` times, a blank line between cues; a speaker stands before the text. */
export function toSrt(segments: readonly TimedText[]): string {
  return segments
    .map(
      (segment, index) =>
        `${index + 1}\n${cueTimes(segment, ",")}\n${segment.speaker ? `${segment.speaker}: ` : ""}${oneLine(segment.text)}\n`,
    )
    .join("\n");
}

/** WebVTT (W3C): `HH:MM:SS.mmm` times, speakers as voice spans, `&`, `<` and `>` escaped. */
export function toVtt(segments: readonly TimedText[]): string {
  const cues = segments.map(
    (segment) => `${cueTimes(segment, ".")}\n${voice(segment.speaker)}${escapeCue(oneLine(segment.text))}\n`,
  );
  return `WEBVTT\n\n${cues.join("\n")}`;
}

/** Plain text: a line a segment. */
export function toText(segments: readonly TimedText[]): string {
  return segments
    .map((segment) => `${segment.speaker ? `${segment.speaker}: ` : ""}${oneLine(segment.text)}\n`)
    .join("");
}

function cueTimes(segment: TimedText, decimalMark: "," | "."): string {
  return `${cueTime(segment.startSeconds, decimalMark)} --> ${cueTime(segment.endSeconds, decimalMark)}`;
}

function cueTime(seconds: number, decimalMark: "," | "."): string {
  const milliseconds = Math.round(seconds * 1000);
  const part = (unit: number, size: number) => String(Math.floor(milliseconds / unit) % size).padStart(2, "0");
  const hours = String(Math.floor(milliseconds / 3_600_000)).padStart(2, "0");
  return `${hours}:${part(60_000, 60)}:${part(1000, 60)}${decimalMark}${String(milliseconds % 1000).padStart(3, "0")}`;
}

/** Blank lines end a cue in both formats, so a text keeps to one line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function escapeCue(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function voice(speaker: string | null): string {
  return speaker === null ? "" : `<v ${escapeCue(oneLine(speaker))}>`;
}
