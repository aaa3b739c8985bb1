import { z } from "zod";
import type { TranscriptionJob } from "../../../database/transcriptionJobs.ts";
import { failureReasons } from "../../../domain/failureReasons.ts";
import { jobPriorities, jobStages, jobStatuses } from "../../../domain/transcriptionJob.ts";
import { listJobs } from "../../../services/transcriptions/listJobs.ts";
import { internalAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { listOf, pageParameters } from "../../http/paging.ts";

const job = z
  .object({
    job_id: z.string().meta({ example: "job_01k4z8m3v9f0k8xqj7t2w5n6cd" }),
    video_id: z.string(),
    account_id: z.string().meta({ description: "Who submitted it, and pays." }),
    status: z.enum(jobStatuses),
    stage: z.enum(jobStages),
    priority: z.enum(jobPriorities),
    held_rows: z.int(),
    duration_seconds: z.number().nullable(),
    chunk_count: z.int().nullable(),
    failure_reason: z.enum(failureReasons).nullable(),
    cancel_reason: z.enum(["requested", "insufficient_rows"]).nullable(),
    request_id: z.string().nullable().meta({ description: "Of the submission." }),
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Job" });

const position = z.tuple([z.string()]).transform(([beforeId]) => beforeId);

export const listInternalJobs = operation({
  id: "listJobs",
  method: "get",
  path: "/internal/jobs",
  tag: "Media",
  summary: "Transcription jobs of all accounts, newest first",
  description: "A job's workflow in Temporal UI is `transcription-<video_id>`.",
  access: internalAccess,
  params: none,
  query: z.strictObject({
    status: z.enum(jobStatuses).optional().meta({ description: "Left out: any." }),
    ...pageParameters,
  }),
  responses: { 200: { description: "A page of jobs.", json: listOf(job).meta({ id: "JobList" }) } },
  async handle({ context, query, cursors }) {
    const binding = { operation: "listJobs", status: query.status };
    const beforeId = cursors.open(binding, query.cursor, position);
    const { jobs, hasMore } = await listJobs(
      context,
      { status: query.status ?? null, accountId: null },
      { limit: query.limit, beforeId },
    );
    const last = jobs.at(-1);
    const next_cursor = hasMore && last !== undefined ? cursors.seal(binding, [last.jobId]) : null;
    return { status: 200, json: { data: jobs.map(shapeJob), has_more: hasMore, next_cursor } };
  },
});

function shapeJob(record: TranscriptionJob): z.input<typeof job> {
  return {
    job_id: record.jobId,
    video_id: record.videoId,
    account_id: record.accountId,
    status: record.status,
    stage: record.stage,
    priority: record.priority,
    held_rows: record.heldRows,
    duration_seconds: record.durationSeconds,
    chunk_count: record.chunkCount,
    failure_reason: record.failureReason,
    cancel_reason: record.cancelReason,
    request_id: record.requestId,
    created_at: record.createdAt.toISOString(),
    completed_at: record.completedAt?.toISOString() ?? null,
  };
}
