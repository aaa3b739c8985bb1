import type { AudioSpan } from "./media.ts";

/** One recognised word; times in seconds from the start of the recording, confidence 0 to 1. */
export interface RecognisedWord {
  text: string;
  startSeconds: number;
  endSeconds: number;
  confidence: number;
}

/** One recognised utterance. `text` has no leading or trailing space; `words` is empty when the engine gives no word times. */
export interface RecognisedSegment {
  text: string;
  startSeconds: number;
  endSeconds: number;
  confidence: number;
  words: RecognisedWord[];
}

export interface Recognition {
  segments: RecognisedSegment[];
  /** How long the engine worked on it, waiting for a free process not counted. */
  engineSeconds: number;
  language: string | null;
}

export interface RecognitionRequest {
  pcmPath: string;
  span: AudioSpan;
  language: string | null;
}

/**
 * Turns speech into text. An engine that is not there, or has died, throws `MediaFailure("engine_unavailable")`;
 * audio in which nothing is said yields no segments and is not a failure.
 */
export interface SpeechEngine {
  /** What made a transcript, such as `faster-whisper/tiny.en`. */
  readonly name: string;
  /** How many `recognise` calls run side by side to the full use of the engine. */
  readonly parallelism: number;
  /** Resolves when the engine can take work; throws `MediaFailure("engine_unavailable")` otherwise. */
  ready(): Promise<void>;
  /** Times in the answer are absolute, counted from the start of the recording, within `request.span`. */
  recognise(request: RecognitionRequest, signal: AbortSignal): Promise<Recognition>;
  close(): Promise<void>;
}
