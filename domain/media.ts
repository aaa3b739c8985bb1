import type { CaptionSegment } from "./captions/segments.ts";
import type { VideoId } from "./videoId.ts";

/** What a media source knows of a video before its audio is fetched. */
export interface MediaDescription {
  videoId: VideoId;
  title: string;
  channel: { id: string; name: string };
  publishedAt: Date | null;
  language: string | null;
  /** Null where the source cannot tell before the audio is fetched. */
  durationSeconds: number | null;
}

/** What a media source has in writing of what is said in a video. */
export interface Captions {
  /** BCP 47, as the source writes it; null where it does not say. */
  language: string | null;
  kind: CaptionKind;
  segments: CaptionSegment[];
}

/** Written by people, or by the platform's own speech recognition. */
type CaptionKind = "manual" | "automatic";

/** Where videos come from. Every method throws `MediaFailure` with the reason that fits, and stops early when `signal` aborts. */
export interface MediaSource {
  readonly name: string;
  describe(videoId: VideoId, signal: AbortSignal): Promise<MediaDescription>;
  /**
   * Returns the path of a local media file that ffmpeg can read. It may lie in `workFolder` or belong to the source, and is never written
   * to. `onProgress` is told the share that is there, 0 to 1, where the source knows it.
   */
  fetchAudio(
    videoId: VideoId,
    workFolder: string,
    signal: AbortSignal,
    onProgress?: (share: number) => void,
  ): Promise<string>;
  /** What is said in the video, in the language that is spoken there (`language` where the caller knows it); null without captions in it. */
  captions(videoId: VideoId, language: string | null, signal: AbortSignal): Promise<Captions | null>;
  /** Up to `limit` newest videos of a channel, newest first. What has not been broadcast yet may be left out. */
  channelVideos(channelId: string, limit: number, signal: AbortSignal): Promise<VideoId[]>;
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
  obtain(
    job: { jobId: string; videoId: VideoId },
    signal: AbortSignal,
    onProgress?: (share: number) => void,
  ): Promise<DecodedAudio>;
  /** Spans of about `targetSeconds` that hold all the speech and meet at pauses; none when the recording is silent. */
  split(audio: DecodedAudio, targetSeconds: number, signal: AbortSignal): Promise<AudioSpan[]>;
  discard(jobId: string): Promise<void>;
  /** Discards what jobs that have ended left behind. */
  discardAllBut(jobIds: ReadonlySet<string>): Promise<void>;
}
