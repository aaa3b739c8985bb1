import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy } from "@temporalio/client";
import type { OutboxPriority } from "../database/outbox.ts";
import type { Queryable } from "../database/pool.ts";
import { type DeliveryStart, readDeliveryStart } from "../database/redeliveries.ts";
import { entityId } from "../domain/entities.ts";
import { searchAttributes } from "../workflows/searchAttributes.ts";
import type { singleDelivery } from "../workflows/singleDelivery.ts";
import { singleDeliveryWorkflowId } from "../workflows/singleDeliveryId.ts";
import { taskQueues } from "../workflows/taskQueues.ts";

/** Of Temporal's five priorities the last, for what nobody waits for; the middle one is everybody's (docs.temporal.io, "Task Queue Priority"). */
const priorityKeys: Readonly<Record<OutboxPriority, number>> = { 0: 3, 1: 5 };

/** Starts the workflow of a test send or a redelivery, once for ever; true when it runs, has run, or there is nothing to deliver. */
export async function startSingleDelivery(
  db: Queryable,
  client: Client,
  message: { subject: string; priority: OutboxPriority },
): Promise<boolean> {
  const { subject: deliveryId, priority } = message;
  const delivery = await readDeliveryStart(db, deliveryId);
  if (delivery === null) return true;
  const { accountId, monitorId, videoId, entityId: entity } = delivery;
  try {
    await client.workflow.start<typeof singleDelivery>("singleDelivery", {
      workflowId: singleDeliveryWorkflowId(deliveryId),
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      taskQueue: taskQueues.deliveries,
      priority: { priorityKey: priorityKeys[priority] },
      args: [{ deliveryId }],
      ...toldOf(deliveryId, delivery),
      typedSearchAttributes: [
        { key: searchAttributes.account, value: accountId },
        ...(monitorId === null ? [] : [{ key: searchAttributes.monitor, value: monitorId }]),
        ...(videoId === null ? [] : [{ key: searchAttributes.video, value: videoId }]),
        ...(entity === null ? [] : [{ key: searchAttributes.entity, value: entityId(entity) }]),
        { key: searchAttributes.stage, value: "delivering" },
      ],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  return true;
}

function toldOf(
  deliveryId: string,
  { accountId, monitorId, channel, alertId, videoId }: DeliveryStart,
): { staticSummary: string; staticDetails: string } {
  const of = monitorId === null ? "" : ` of monitor ${monitorId}`;
  return alertId === null
    ? {
        staticSummary: `Test of the ${channel}${of} for ${accountId}`,
        staticDetails: `Delivery ${deliveryId}: one attempt, which costs nothing and counts for nothing.`,
      }
    : {
        staticSummary: `Alert on video ${videoId} by ${channel} once more, for ${accountId}`,
        staticDetails: `Delivery ${deliveryId} of alert ${alertId}${of}. It was paid for when it fired.`,
      };
}
