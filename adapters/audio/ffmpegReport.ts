/** What ffmpeg says of a file before it reads the media in it. */
export interface MediaHeader {
  hasAudio: boolean;
  hasVideo: boolean;
  durationSeconds: number | null;
  /** False where ffmpeg only guessed from the size of the file. */
  durationIsExact: boolean;
}

/**
 * Reads the description that `ffmpeg -i` writes; null where ffmpeg did not recognise the file. Anchored to the exact indentation,
 * because a file's own title is printed there too.
 */
export function parseHeader(report: string): MediaHeader | null {
  if (!/^Input #0, /m.test(report)) return null;
  const duration = /^ {2}Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?)/m.exec(report);
  return {
    hasAudio: /^ {2,4}Stream #0:\d+\S*: Audio: /m.test(report),
    hasVideo: /^ {2,4}Stream #0:\d+\S*: Video: /m.test(report),
    durationSeconds: duration ? Number(duration[1]) * 3600 + Number(duration[2]) * 60 + Number(duration[3]) : null,
    durationIsExact: !report.includes("Estimating duration from bitrate"),
  };
}

/** The last position, in seconds, of what `ffmpeg -progress` writes; null before the first. */
export function parseProgressSeconds(progress: string): number | null {
  const last = [...progress.matchAll(/^out_time=(\d+):(\d\d):(\d\d(?:\.\d+)?)$/gm)].at(-1);
  return last ? Number(last[1]) * 3600 + Number(last[2]) * 60 + Number(last[3]) : null;
}
