import type { FailureReason } from "./failureReasons.ts";
import type { VideoId } from "./videoId.ts";

export const jobStatuses = ["queued", "processing", "completed", "failed", "canceled"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** What a job is doing, in order. */
export const jobStages = [
  "queued",
  "describing",
  "fetching",
  "splitting",
  "recognising",
  "assembling",
  "publishing",
  "done",
] as const;
export type JobStage = (typeof jobStages)[number];

export const jobPriorities = ["normal", "high"] as const;
export type JobPriority = (typeof jobPriorities)[number];

export type CancelReason = "requested" | "insufficient_rows";

/** Whether the job is still under way, and so holds rows and can be canceled. */
export function isRunning(status: JobStatus): boolean {
  switch (status) {
    case "queued":
    case "processing":
      return true;
    case "completed":
    case "failed":
    case "canceled":
      return false;
  }
}

/** Share of the job that is done, 0 to 1; recognition takes nearly all of the time and so nearly all of the scale. */
export function jobProgress(stage: JobStage, recognisedShare: number): number {
  switch (stage) {
    case "queued":
      return 0;
    case "describing":
      return 0.01;
    case "fetching":
      return 0.02;
    case "splitting":
      return 0.04;
    case "recognising":
      return Math.round((0.05 + 0.9 * recognisedShare) * 1000) / 1000;
    case "assembling":
      return 0.96;
    case "publishing":
      return 0.98;
    case "done":
      return 1;
  }
}

/** What the workflow `transcription` is started with. Ids only: the rest is read by the activities. */
export interface TranscriptionInput {
  jobId: string;
  videoId: VideoId;
  accountId: string;
  priority: JobPriority;
  chunksInFlight: number;
  engineOutageLimitSeconds: number;
}

export type TranscriptionOutcome =
  | { outcome: "completed" }
  | { outcome: "canceled"; reason: CancelReason }
  | { outcome: "failed"; reason: FailureReason };

/** One running workflow a video: the id of architecture.md "Workflows". */
export function transcriptionWorkflowId(videoId: string): string {
  return `transcription-${videoId}`;
}
