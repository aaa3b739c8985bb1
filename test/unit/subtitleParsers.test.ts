import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import SrtParser from "srt-parser-2";
import { parseSync } from "subtitle";
import { WebVTTParser } from "webvtt-parser";
import { type TextFormat, textForms, type TimedText } from "../../domain/transcriptFormats.ts";

function written(format: TextFormat, segments: readonly TimedText[]): string {
  const { opening, separator, closing, write } = textForms[format];
  return opening + segments.map((segment, position) => write(segment, position)).join(separator) + closing;
}

const word = fc.oneof(
  fc.constantFrom(
    "hello",
    "R&B",
    "<later>",
    "1984",
    "-->",
    "00:00:01.000",
    "NOTE",
    "WEBVTT",
    "Größe",
    "東京",
    "🎉",
    "&amp;",
  ),
  fc.stringMatching(/^[!-~]{1,8}$/),
);
const line = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
const spokenText = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n\n"));
const segments = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 0, max: 3_600_000 }),
      length: fc.integer({ min: 1, max: 30_000 }),
      text: spokenText,
      speaker: fc.option(fc.constantFrom("Ann", "Dr. O'Neil & Co <host>")),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => {
    let milliseconds = 0;
    return parts.map(({ gap, length, text: spoken, speaker }): TimedText => {
      const start = milliseconds + gap;
      milliseconds = start + length;
      return { startSeconds: start / 1000, endSeconds: milliseconds / 1000, text: spoken, speaker };
    });
  });

const oneLine = ({ text: spoken }: TimedText) => spoken.replace(/\s+/g, " ");
const named = (segment: TimedText) =>
  segment.speaker === null ? oneLine(segment) : `${segment.speaker}: ${oneLine(segment)}`;
const milliseconds = (seconds: number) => Math.round(seconds * 1000);
const times = (parts: readonly TimedText[]) =>
  parts.map(({ startSeconds, endSeconds }) => [milliseconds(startSeconds), milliseconds(endSeconds)]);

const cuesOf = (text: string) => parseSync(text).flatMap((node) => (node.type === "cue" ? [node.data] : []));

describe("subtitles as published parsers read them", () => {
  it("WebVTT is valid to the W3C's validator, cue by cue and word by word", () => {
    fc.assert(
      fc.property(segments, (spoken) => {
        const { cues, errors } = new WebVTTParser().parse(written("vtt", spoken));
        expect(errors).toEqual([]);
        expect(cues.map(({ startTime, endTime }) => [milliseconds(startTime), milliseconds(endTime)])).toEqual(
          times(spoken),
        );
        const plain = cues.map(({ text: cue }) =>
          cue
            .replace(/^<v [^>]*>/, "")
            .replaceAll("&lt;", "<")
            .replaceAll("&gt;", ">")
            .replaceAll("&amp;", "&"),
        );
        expect(plain).toEqual(spoken.map(oneLine));
      }),
    );
  });

  it("WebVTT and SubRip are read by `subtitle`", () => {
    fc.assert(
      fc.property(segments, (spoken) => {
        const [vtt, srt] = [cuesOf(written("vtt", spoken)), cuesOf(written("srt", spoken))];
        expect(vtt.map(({ start, end }) => [start, end])).toEqual(times(spoken));
        expect(srt.map(({ start, end }) => [start, end])).toEqual(times(spoken));
        expect(srt.map(({ text }) => text)).toEqual(spoken.map(named));
      }),
    );
  });

  it("SubRip is read by `srt-parser-2`", () => {
    fc.assert(
      fc.property(segments, (spoken) => {
        const cues = new SrtParser().fromSrt(written("srt", spoken));
        expect(cues.map(({ id }) => Number(id))).toEqual(spoken.map((_, position) => position + 1));
        expect(cues.map(({ text: cue }) => cue)).toEqual(spoken.map(named));
        expect(
          cues.map(({ startSeconds, endSeconds }) => [milliseconds(startSeconds), milliseconds(endSeconds)]),
        ).toEqual(times(spoken));
      }),
    );
  });
});
