import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from "@temporalio/client";
import type { Queryable } from "../database/pool.ts";
import { readJob } from "../database/transcriptionJobs.ts";
import type { Settings } from "../domain/configuration.ts";
import { isRunning, transcriptionWorkflowId } from "../domain/transcriptionJob.ts";
import { searchAttributes } from "../workflows/searchAttributes.ts";
import { taskQueues } from "../workflows/taskQueues.ts";
import type { transcription } from "../workflows/transcription.ts";

/**
 * Starts the workflow of a queued job; true when it runs or is no longer wanted. False while the workflow of an earlier, canceled job
 * of the same video is still tidying up.
 */
export async function startTranscriptionWorkflow(
  db: Queryable,
  settings: Settings,
  client: Client,
  jobId: string,
): Promise<boolean> {
  const job = await readJob(db, jobId);
  if (job === null || !isRunning(job.status)) return true;
  const { chunksInFlight, engineOutageLimitSeconds } = settings.transcription;
  const { accountId, videoId, priority } = job;
  try {
    await client.workflow.start<typeof transcription>("transcription", {
      workflowId: transcriptionWorkflowId(videoId),
      taskQueue: taskQueues.workflows,
      args: [{ jobId, videoId, accountId, priority, chunksInFlight, engineOutageLimitSeconds }],
      memo: { jobId },
      staticSummary: `Transcript of video ${videoId} for ${accountId}`,
      staticDetails: `Job ${jobId}. Cancel this workflow to stop the job and refund it; nothing else needs a human.`,
      typedSearchAttributes: [
        { key: searchAttributes.account, value: accountId },
        { key: searchAttributes.video, value: videoId },
        { key: searchAttributes.stage, value: "queued" },
      ],
    });
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return (await runningJobId(client, videoId)) === jobId;
  }
}

/** Cancels the workflow of a job if it is this job that runs under the video's id; true when there is nothing left to cancel. */
export async function cancelTranscriptionWorkflow(db: Queryable, client: Client, jobId: string): Promise<boolean> {
  const job = await readJob(db, jobId);
  if (job === null || (await runningJobId(client, job.videoId)) !== jobId) return true;
  await client.workflow.getHandle(transcriptionWorkflowId(job.videoId)).cancel();
  return true;
}

async function runningJobId(client: Client, videoId: string): Promise<unknown> {
  try {
    const { memo, status } = await client.workflow.getHandle(transcriptionWorkflowId(videoId)).describe();
    return status.name === "RUNNING" ? memo?.["jobId"] : null;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
