import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from "@temporalio/client";
import type { Queryable } from "../database/pool.ts";
import { readScan } from "../database/scans.ts";
import type { Settings } from "../domain/configuration.ts";
import type { preliminaryScan } from "../workflows/preliminaryScan.ts";
import { scanWorkflowId } from "../workflows/scanId.ts";
import { searchAttributes } from "../workflows/searchAttributes.ts";
import { taskQueues } from "../workflows/taskQueues.ts";

/**
 * Starts the workflow of a scan that is wanted; true when it runs or is no longer wanted. False while the workflow of an earlier run of
 * the same video is still tidying up.
 */
export async function startScanWorkflow(
  db: Queryable,
  settings: Settings,
  client: Client,
  videoId: string,
): Promise<boolean> {
  const scan = await readScan(db, videoId);
  if (scan === null || (scan.status !== "queued" && scan.status !== "running")) return true;
  const { maxSpeechSeconds: _, ...limits } = settings.scan;
  try {
    await client.workflow.start<typeof preliminaryScan>("preliminaryScan", {
      workflowId: scanWorkflowId(videoId),
      taskQueue: taskQueues.workflows,
      args: [{ videoId, run: scan.run, ...limits }],
      memo: { run: scan.run },
      staticSummary: `Preliminary scan of video ${videoId}`,
      staticDetails: `Run ${scan.run}. Cancel this workflow to stop the scan; nobody pays for it. \`media-index scan ${videoId}\` asks for another.`,
      typedSearchAttributes: [
        { key: searchAttributes.video, value: videoId },
        { key: searchAttributes.stage, value: "queued" },
      ],
    });
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return (await runningRun(client, videoId)) === scan.run;
  }
}

async function runningRun(client: Client, videoId: string): Promise<unknown> {
  try {
    const { memo, status } = await client.workflow.getHandle(scanWorkflowId(videoId)).describe();
    return status.name === "RUNNING" ? memo?.["run"] : null;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
