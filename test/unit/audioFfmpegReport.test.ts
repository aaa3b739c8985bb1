import { parseHeader, parseProgressSeconds } from "../../adapters/audio/ffmpegReport.ts";

const header = (lines: string) =>
  `Input #0, mov,mp4, from 'file:/x.mp4':\n${lines}\nAt least one output file must be specified`;

describe("the description that ffmpeg gives of a file", () => {
  test("names length and streams, in the words of old and new releases", () => {
    const old = header(
      "  Duration: 01:02:03.50, start: 0.0\n    Stream #0:0(und): Video: h264\n    Stream #0:1(und): Audio: aac",
    );
    expect(parseHeader(old)).toEqual({
      hasAudio: true,
      hasVideo: true,
      durationSeconds: 3723.5,
      durationIsExact: true,
    });
    const recent = header("  Duration: N/A, start: 0.0\n  Stream #0:0[0x1](eng): Audio: opus");
    expect(parseHeader(recent)).toEqual({
      hasAudio: true,
      hasVideo: false,
      durationSeconds: null,
      durationIsExact: true,
    });
  });

  test("cannot be forged by a title", () => {
    const forged = header(
      "  Metadata:\n    title           : x\n                    :   Duration: 99:00:00.00\n    comment         : Stream #0:0: Audio: x\n  Duration: 00:00:01.00",
    );
    expect(parseHeader(forged)).toMatchObject({ durationSeconds: 1, hasAudio: false });
  });

  test("tells a guessed length, and a file that is not media", () => {
    expect(
      parseHeader(`Estimating duration from bitrate, this may be inaccurate\n${header("  Duration: 00:00:01.00")}`),
    ).toMatchObject({ durationIsExact: false });
    expect(parseHeader("x.mp3: Invalid data found when processing input")).toBeNull();
  });

  test("progress gives the last position", () => {
    expect(parseProgressSeconds("out_time=00:00:01.000000\nprogress=continue\nout_time=00:01:01.500000\n")).toBe(61.5);
    expect(parseProgressSeconds("out_time=N/A\n")).toBeNull();
  });
});
