import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy } from "@temporalio/client";
import { readAlertDelivery } from "../database/alerts.ts";
import type { Queryable } from "../database/pool.ts";
import type { AlertDeliveryInput } from "../domain/alerts.ts";
import { alertDeliveryWorkflowId } from "../workflows/alertDeliveryId.ts";
import { searchAttributes } from "../workflows/searchAttributes.ts";
import { taskQueues } from "../workflows/taskQueues.ts";

/** Starts the workflow that delivers an occurrence, once for ever; true when it runs, has run, or there is nothing to deliver. */
export async function startAlertDelivery(db: Queryable, client: Client, occurrenceId: string): Promise<boolean> {
  const input = await readAlertDelivery(db, occurrenceId);
  if (input === null) return true;
  const { accountId, monitorId, videoId } = input;
  try {
    await client.workflow.start<(input: AlertDeliveryInput) => Promise<unknown>>("alertDelivery", {
      workflowId: alertDeliveryWorkflowId(occurrenceId),
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      taskQueue: taskQueues.workflows,
      args: [input],
      staticSummary: `Alert on video ${videoId} for ${accountId}`,
      staticDetails: `Occurrence ${occurrenceId}${monitorId === null ? "" : ` of monitor ${monitorId}`}.`,
      typedSearchAttributes: [
        { key: searchAttributes.account, value: accountId },
        { key: searchAttributes.video, value: videoId },
        ...(monitorId === null ? [] : [{ key: searchAttributes.monitor, value: monitorId }]),
        { key: searchAttributes.stage, value: "queued" },
      ],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  return true;
}
