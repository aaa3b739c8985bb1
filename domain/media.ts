import type { VideoId } from "./videoId.ts";

/** What a media source knows of a video before its audio is fetched. */
export interface MediaDescription {
  videoId: VideoId;
  title: string;
  channel: { id: string; name: string };
  publishedAt: Date | null;
  language: string | null;
  durationSeconds: number;
}

/** Where videos come from. Every method throws `MediaFailure` with the reason that fits, and stops early when `signal` aborts. */
export interface MediaSource {
  readonly name: string;
  describe(videoId: VideoId, signal: AbortSignal): Promise<MediaDescription>;
  /** Returns the path of a local media file that ffmpeg can read. It may lie in `workFolder` or belong to the source, and is never written to. */
  fetchAudio(videoId: VideoId, workFolder: string, signal: AbortSignal): Promise<string>;
}

/** A stretch of audio in seconds from the start of the recording. */
export interface AudioSpan {
  startSeconds: number;
  endSeconds: number;
}

/** Decoded audio on disk: 16 kHz, mono, signed 16-bit little-endian, no header. */
export interface DecodedAudio {
  pcmPath: string;
  durationSeconds: number;
}

/** Where a job's decoded sound is kept while it is worked on. */
export interface AudioStore {
  /** The job's decoded audio: what is there already, else fetched and decoded now, so that any host can take over. Throws `MediaFailure`. */
  obtain(job: { jobId: string; videoId: VideoId }, signal: AbortSignal): Promise<DecodedAudio>;
  /** Spans of about `targetSeconds` that hold all the speech and meet at pauses; none when the recording is silent. */
  split(audio: DecodedAudio, targetSeconds: number, signal: AbortSignal): Promise<AudioSpan[]>;
  discard(jobId: string): Promise<void>;
  /** Discards what jobs that have ended left behind. */
  discardAllBut(jobIds: ReadonlySet<string>): Promise<void>;
}
