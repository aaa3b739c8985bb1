import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy } from "@temporalio/client";
import { NativeConnection } from "@temporalio/worker";
import type { AlertStart } from "../database/alerts.ts";
import { entityId } from "../domain/entities.ts";
import type { alertDelivery } from "../workflows/alertDelivery.ts";
import { alertDeliveryWorkflowId } from "../domain/alerts.ts";
import { searchAttributes } from "../workflows/searchAttributes.ts";
import { taskQueues } from "../workflows/taskQueues.ts";

/**
 * Starts the workflow that delivers an occurrence, once for ever; nothing happens when it runs or has run. A client that shares the connection of
 * this process's worker hands it the first workflow task with Temporal's answer.
 */
export async function startAlertDelivery(client: Client, start: AlertStart): Promise<void> {
  const { occurrenceId, accountId, monitorId, videoId, entityId: entity } = start;
  try {
    await client.workflow.start<typeof alertDelivery>("alertDelivery", {
      workflowId: alertDeliveryWorkflowId(occurrenceId),
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      taskQueue: taskQueues.deliveries,
      workflowTaskTimeout: "30 seconds",
      requestEagerStart: client.connection instanceof NativeConnection,
      args: [{ occurrenceId }],
      staticSummary: `Alert on ${entityId(entity)} in video ${videoId} for ${accountId}`,
      staticDetails: `Occurrence ${occurrenceId}${monitorId === null ? "" : ` of monitor ${monitorId}`}.`,
      typedSearchAttributes: [
        { key: searchAttributes.account, value: accountId },
        { key: searchAttributes.video, value: videoId },
        { key: searchAttributes.entity, value: entityId(entity) },
        ...(monitorId === null ? [] : [{ key: searchAttributes.monitor, value: monitorId }]),
        { key: searchAttributes.stage, value: "delivering" },
      ],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
