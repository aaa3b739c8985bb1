import { describe, expect, it } from "@jest/globals";
import { toSrt, toText, toVtt } from "../../domain/transcriptFormats.ts";

const segments = [
  { startSeconds: 0, endSeconds: 1.5, text: "Fish & chips <now>", speaker: null },
  { startSeconds: 3599.9996, endSeconds: 36_001.25, text: "two\n\nlines", speaker: "Ann" },
];

describe("transcript formats", () => {
  it("writes SubRip with comma times and numbered cues, hours past 9 included", () => {
    expect(toSrt(segments)).toBe(
      "1\n00:00:00,000 --> 00:00:01,500\nFish & chips <now>\n\n2\n01:00:00,000 --> 10:00:01,250\nAnn: two lines\n",
    );
  });

  it("writes WebVTT with escaped text and voice spans", () => {
    expect(toVtt(segments)).toBe(
      "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nFish &amp; chips &lt;now&gt;\n\n01:00:00.000 --> 10:00:01.250\n<v Ann>two lines\n",
    );
  });

  it("writes a line a segment as plain text", () => {
    expect(toText(segments)).toBe("Fish & chips <now>\nAnn: two lines\n");
  });

  it("writes valid empty files for no segments", () => {
    expect([toSrt([]), toVtt([]), toText([])]).toEqual(["", "WEBVTT\n\n", ""]);
  });
});
