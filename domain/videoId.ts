/** An 11-character id of a video on the video platform (specification, "Transcripts"). */
export type VideoId = string;

const form = /^[A-Za-z0-9_-]{11}$/;

/** Whether the text has the form of a video id: not a URL, not a slug. */
export function isVideoId(text: string): boolean {
  return form.test(text);
}
