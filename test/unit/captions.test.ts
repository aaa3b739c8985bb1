import { describe, expect, it } from "@jest/globals";
import { type CaptionFormat, readCues } from "../../adapters/captions/readCues.ts";
import { type CaptionSegment, segmentsFromCues } from "../../domain/captions/segments.ts";

function segments(file: string, format: CaptionFormat = "vtt"): CaptionSegment[] {
  return segmentsFromCues(readCues(file, format).cues);
}

const time = (seconds: number) => `00:00:${String(seconds).padStart(2, "0")}.000`;

/** A WebVTT file whose cues follow each other, two seconds each. */
function vtt(...cues: string[]): string {
  return `WEBVTT\n\n${cues.map((text, index) => `${time(index * 2)} --> ${time(index * 2 + 2)}\n${text}\n`).join("\n")}`;
}

const said = (read: readonly CaptionSegment[]) => read.map(({ speaker, text }) => [speaker, text]);
const texts = (read: readonly CaptionSegment[]) => read.map(({ text }) => text);

const youtube = `WEBVTT
Kind: captions
Language: en

00:00:00.000 --> 00:00:02.000 align:start position:0%
 
welcome<00:00:00.500><c> to</c><00:00:01.000><c> the</c>

00:00:02.000 --> 00:00:02.010 align:start position:0%
welcome to the
 

00:00:02.010 --> 00:00:04.000 align:start position:0%
welcome to the
the<00:00:02.400><c> Joe</c><00:00:02.900><c> &amp;</c><00:00:03.100><c> Ann</c>

00:00:04.000 --> 00:00:04.010 align:start position:0%
the Joe &amp; Ann
 

00:00:04.010 --> 00:00:06.000 align:start position:0%
the Joe &amp; Ann
[Music]
`;

describe("a caption file", () => {
  it("is read past what is not speech: header, styles, regions, notes, ids, settings, markup", () => {
    const file = `\uFEFFWEBVTT - a title

STYLE
::cue(.a) { color: red }

REGION
id:fred

NOTE not
spoken

7
00:01.000 --> 00:04.000 align:start position:0%
<i>Salt</i> &amp; pep<b>per</b>,&nbsp;caf&eacute; &#39;til 3 &lt; 4
`;
    expect(segments(file)).toEqual([
      {
        startSeconds: 1,
        endSeconds: 4,
        text: "Salt & pepper, café 'til 3 < 4",
        speaker: null,
        startsTurn: false,
        words: null,
      },
    ]);
  });

  it("may be SubRip, with what its players left in it", () => {
    const file =
      '1\r\n00:00:01,000 --> 00:00:02,500\r\n{\\an8}<font color="#fff">JOHN:</font> Hi\\Nthere\r\n\r\n' +
      "2\r\n1:00:03,000 --> 1:00:04,000 X1:10 X2:20\r\n42 is\r\nthe number\r\n";
    expect(segments(file, "srt")).toMatchObject([
      { startSeconds: 1, endSeconds: 2.5, speaker: "JOHN", text: "Hi there" },
      { startSeconds: 3603, endSeconds: 3604, text: "42 is the number" },
    ]);
  });

  it("names the line of a cue that cannot be read, and keeps the others", () => {
    const file =
      "WEBVTT\n\n00:01.000 --> 00:02.000\none\n\n00:05.000 --> 00:04.000\ntwo\n\none --> 2\nx\n\n" +
      "00:06.000 --> 00:07.000\nthree\n";
    const { cues, unread } = readCues(file, "vtt");
    expect(texts(segmentsFromCues(cues))).toEqual(["one", "three"]);
    expect(unread).toEqual([
      { line: 6, reason: "the cue ends before it starts" },
      { line: 9, reason: "not two times with --> between them" },
    ]);
  });

  it("is put into the order of the recording", () => {
    const file = "WEBVTT\n\n00:05.000 --> 00:06.000\nlater\n\n00:01.000 --> 00:02.000\nearlier\n";
    expect(texts(segments(file))).toEqual(["earlier", "later"]);
  });

  it("without a word gives nothing", () => {
    expect(segments("")).toEqual([]);
    expect(segments(vtt("[Music]", "♪♪", "(applause) [laughs]"))).toEqual([]);
  });
});

describe("speakers", () => {
  it("come from voice tags, which hold in their cue", () => {
    const file = vtt(
      "<v Mary Ann>Hello.</v> <v.loud Bob &amp; Co>Hi!",
      "<v Bob &amp; Co>Still me.",
      "And who is this?",
    );
    const read = segments(file);
    expect(said(read)).toEqual([
      ["Mary Ann", "Hello."],
      ["Bob & Co", "Hi!"],
      ["Bob & Co", "Still me."],
      ["Bob & Co", "And who is this?"],
    ]);
    expect(read.map((segment) => segment.startsTurn)).toEqual([true, true, false, false]);
  });

  it("come from labels before the text, which hold until the next turn", () => {
    const file = vtt("JOE ROGAN: So.", "Go on.", ">> DR. SMITH (on phone): Well,", "[Anna]: no.", ">> Who?");
    expect(said(segments(file))).toEqual([
      ["JOE ROGAN", "So."],
      ["JOE ROGAN", "Go on."],
      ["DR. SMITH", "Well,"],
      ["Anna", "no."],
      [null, "Who?"],
    ]);
  });

  it("in ordinary spelling are labels only where they recur", () => {
    const once = vtt("Remember: be kind.", "It was 10:30 then.", "Note: this");
    expect(said(segments(once))).toEqual([
      [null, "Remember: be kind."],
      [null, "It was 10:30 then."],
      [null, "Note: this"],
    ]);
    const twice = vtt("Lex Fridman: Why?", "Guest: Because.", "Lex Fridman: I see.", "Guest: Yes.");
    expect(said(segments(twice)).map(([speaker]) => speaker)).toEqual(["Lex Fridman", "Guest", "Lex Fridman", "Guest"]);
  });

  it("change at dialogue dashes, each with its share of the cue", () => {
    const read = segments(vtt("- Are you\nthere?\n-Yes.", "–5 degrees — cold.", "-5 degrees"));
    expect(read.map(({ text, startsTurn }) => [text, startsTurn])).toEqual([
      ["Are you there?", true],
      ["Yes.", true],
      ["–5 degrees — cold.", false],
      ["-5 degrees", false],
    ]);
    expect(read[0]?.startSeconds).toBe(0);
    expect(read[0]?.endSeconds).toBe(read[1]?.startSeconds);
    expect(read[1]?.startSeconds).toBeGreaterThan(1);
    expect(read[1]?.endSeconds).toBe(2);
  });
});

describe("rolling captions", () => {
  it("of the video platform are unrolled, word times kept", () => {
    const read = segments(youtube);
    expect(texts(read)).toEqual(["welcome to the", "the Joe & Ann"]);
    expect(read[1]).toMatchObject({ startSeconds: 2.01, endSeconds: 4 });
    expect(read[1]?.words).toEqual([
      { text: "the", startSeconds: 2.01, endSeconds: 2.4 },
      { text: "Joe", startSeconds: 2.4, endSeconds: 2.9 },
      { text: "&", startSeconds: 2.9, endSeconds: 3.1 },
      { text: "Ann", startSeconds: 3.1, endSeconds: 4 },
    ]);
  });

  it("that overlap, or grow, are unrolled too", () => {
    const overlapping =
      "1\n00:00:00,000 --> 00:00:03,000\none two\n\n2\n00:00:01,500 --> 00:00:05,000\none two\nthree four\n\n3\n00:00:03,000 --> 00:00:06,000\nthree four\nfive\n";
    expect(texts(segments(overlapping, "srt"))).toEqual(["one two", "three four", "five"]);
    expect(texts(segments(vtt("we", "we are", "we are here")))).toEqual(["we", "are", "here"]);
  });

  it("are not seen where people repeat themselves", () => {
    const file = vtt(
      "No.",
      "No.",
      "I said no.",
      "No way.",
      "Come on.",
      "- Come on.\n- All right.",
      "Go.",
      "Now.",
      "Yes.",
    );
    expect(texts(segments(file)).join(" ")).toBe(
      "No. No. I said no. No way. Come on. Come on. All right. Go. Now. Yes.",
    );
  });
});
