/** What is used of the W3C's parser, which is also its validator. */
declare module "webvtt-parser" {
  export class WebVTTParser {
    parse(
      text: string,
      mode?: "metadata" | "chapters",
    ): {
      cues: { startTime: number; endTime: number; text: string }[];
      errors: { message: string; line: number; col?: number }[];
    };
  }
}
