/** Why a transcription ended without a transcript: `failureReason` of decisions.md "Transcripts". */
export const failureReasons = [
  "not_found",
  "private",
  "region_blocked",
  "live_or_upcoming",
  "too_long",
  "no_audio",
  "no_speech",
  "download_failed",
  "engine_unavailable",
  "internal",
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** A media or speech failure whose kind the caller must act on. `message` is for operators and never reaches API clients. */
export class MediaFailure extends Error {
  override readonly name = "MediaFailure";
  readonly reason: FailureReason;
  /** True where waiting cannot help: nothing is configured, or an operator must change something first. */
  readonly permanent: boolean;

  constructor(reason: FailureReason, message: string, options?: ErrorOptions & { permanent?: boolean }) {
    super(message, options);
    this.reason = reason;
    this.permanent = options?.permanent ?? false;
  }
}
