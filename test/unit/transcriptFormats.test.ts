import { describe, expect, it } from "@jest/globals";
import { type TextFormat, textForms, type TimedText } from "../../domain/transcriptFormats.ts";

const segments = [
  { startSeconds: 0, endSeconds: 1.5, text: "Fish & chips <now>", speaker: null },
  { startSeconds: 3599.9996, endSeconds: 36_001.25, text: "two\n\nlines", speaker: "Ann" },
];

function written(format: TextFormat, from: readonly TimedText[] = segments): string {
  const { opening, separator, closing, write } = textForms[format];
  const parts: string[] = [];
  for (const segment of from) {
    const part = write(segment, parts.length);
    if (part !== null) parts.push(part);
  }
  return opening + parts.join(separator) + closing;
}

describe("transcript formats", () => {
  it("writes SubRip with comma times and numbered cues, hours past 9 included", () => {
    expect(written("srt")).toBe(
      "1\n00:00:00,000 --> 00:00:01,500\nFish & chips <now>\n\n2\n01:00:00,000 --> 10:00:01,250\nAnn: two lines\n",
    );
  });

  it("writes WebVTT with escaped text and voice spans", () => {
    expect(written("vtt")).toBe(
      "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nFish &amp; chips &lt;now&gt;\n\n01:00:00.000 --> 10:00:01.250\n<v Ann>two lines\n",
    );
  });

  it("writes a line a segment as plain text", () => {
    expect(written("txt")).toBe("Fish & chips <now>\nAnn: two lines\n");
  });

  it("writes valid empty files for no segments", () => {
    expect([written("srt", []), written("vtt", []), written("txt", [])]).toEqual(["", "WEBVTT\n\n", ""]);
  });

  it("leaves out what has no word, without a gap in the numbers, and ends no cue before it begins", () => {
    const odd = [
      { startSeconds: 1, endSeconds: 2, text: " \n ", speaker: null },
      { startSeconds: 2, endSeconds: 2, text: "now", speaker: null },
    ];
    expect(written("srt", odd)).toBe("1\n00:00:02,000 --> 00:00:02,001\nnow\n");
    expect(written("vtt", odd)).toBe("WEBVTT\n\n00:00:02.000 --> 00:00:02.001\nnow\n");
    expect(written("txt", odd)).toBe("now\n");
  });
});
