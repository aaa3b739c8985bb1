import type { FailureReason } from "./failureReasons.ts";
import type { VideoId } from "./videoId.ts";

export const scanStatuses = ["queued", "running", "completed", "failed", "canceled"] as const;

/** What a scan knows a video's words from. */
export const scanSources = ["captions", "speech"] as const;
export type ScanSource = (typeof scanSources)[number];

/** One scan of a video: its id, and which of the times it was asked for. */
export interface ScanRun {
  videoId: VideoId;
  run: number;
}

/** What the workflow `preliminaryScan` is started with. Ids and numbers only. */
export interface ScanInput extends ScanRun {
  chunksInFlight: number;
  engineOutageLimitSeconds: number;
  broadcastRetrySeconds: number;
  broadcastWaitLimitSeconds: number;
}

export type ScanOutcome =
  | { outcome: "completed"; source: ScanSource }
  /** There is a transcript, or another run of the scan was asked for: nothing is left to do. */
  | { outcome: "superseded" }
  | { outcome: "failed"; reason: FailureReason };

/** Under which name a scan's sound is kept while it is listened to. */
export function scanAudioId(videoId: VideoId): string {
  return `scan-${videoId}`;
}
