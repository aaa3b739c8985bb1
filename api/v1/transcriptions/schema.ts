import { z } from "zod";
import { failureReasons } from "../../../domain/failureReasons.ts";
import { isRunning, jobPriorities, jobStages, jobStatuses } from "../../../domain/transcriptionJob.ts";
import type { TranscriptionRecord } from "../../../services/transcriptions/record.ts";
import { videoIdParameter } from "../../http/parameters.ts";
import { insufficientRowsBody } from "../quote.ts";

export const videoPath = z.strictObject({ video_id: videoIdParameter });

export const submission = z
  .strictObject({
    videoId: videoIdParameter,
    language: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, "must be a language tag such as en or pt-BR")
      .optional()
      .meta({
        description: "What is spoken, as a BCP 47 tag; unset: what the platform says, else what is heard.",
        example: "en",
      }),
    priority: z.enum(jobPriorities).optional().meta({ description: "Default `normal`." }),
  })
  .meta({ id: "TranscriptionSubmission", example: { videoId: "dQw4w9WgXcQ", language: "en" } });

const transcriptionExample = {
  videoId: "dQw4w9WgXcQ",
  status: "processing",
  stage: "recognising",
  progress: 0.42,
  etaSeconds: 34,
  nextPollSeconds: 9,
  rowsCharged: 100,
  failureReason: null,
  cancelReason: null,
  createdAt: "2026-11-21T09:30:00.000Z",
  completedAt: null,
};

export const transcription = z
  .object({
    videoId: z.string().meta({ description: "The video.", example: "dQw4w9WgXcQ" }),
    status: z.enum(jobStatuses).meta({ description: "The last three are ends: the job does not change any more." }),
    stage: z.enum(jobStages).meta({ description: "What the job is doing." }),
    progress: z.number().min(0).max(1).meta({ description: "Share that is done.", example: 0.42 }),
    etaSeconds: z
      .int()
      .min(0)
      .meta({ description: "Queue ahead and work left, from measured speed; 0 only once ended.", example: 34 }),
    nextPollSeconds: z.int().min(0).meta({ description: "When to poll again; 0 once ended.", example: 9 }),
    rowsCharged: z.int().min(0).meta({ description: "Held or paid by this account; 0 after a refund.", example: 100 }),
    failureReason: z.enum(failureReasons).nullable().meta({ description: "Why it failed; null unless it did." }),
    cancelReason: z
      .enum(["requested", "insufficient_rows"])
      .nullable()
      .meta({ description: "Why it was canceled; null unless it was." }),
    createdAt: z.iso.datetime().meta({ description: "When it was submitted." }),
    completedAt: z.iso.datetime().nullable().meta({ description: "When it ended, however it did; null before." }),
  })
  .meta({ id: "Transcription", example: transcriptionExample });

export const canceledTranscription = z
  .object({
    id: z.string().meta({ description: "Equals `videoId`." }),
    deleted: z.literal(true).meta({ description: "Always true." }),
    ...transcription.shape,
  })
  .meta({
    id: "CanceledTranscription",
    example: {
      id: "dQw4w9WgXcQ",
      deleted: true,
      ...transcriptionExample,
      status: "canceled",
      etaSeconds: 0,
      nextPollSeconds: 0,
      rowsCharged: 0,
      cancelReason: "requested",
      completedAt: "2026-11-21T09:31:00.000Z",
    },
  });

export const retryAfterHeader = z
  .int()
  .meta({ description: "Seconds to wait before the next poll; equals `nextPollSeconds`.", example: 9 });

/** Of answers about a job that may have ended. */
export const retryAfterWhileRunning = retryAfterHeader
  .optional()
  .meta({ description: "While the job runs: seconds to wait before the next poll.", example: 9 });

export const bareBodies = { 402: insufficientRowsBody };

/** A record as the API shows it. */
export function shapeTranscription(record: TranscriptionRecord): z.input<typeof transcription> {
  return {
    ...record,
    createdAt: record.createdAt.toISOString(),
    completedAt: record.completedAt?.toISOString() ?? null,
  };
}

/** `Retry-After` while the job runs, nothing once it has ended. */
export function pollHeaders(record: TranscriptionRecord): { "Retry-After"?: string } {
  return isRunning(record.status) ? { "Retry-After": String(record.nextPollSeconds) } : {};
}
