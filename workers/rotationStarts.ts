import { type Client, WithStartWorkflowOperation, WorkflowUpdateStage } from "@temporalio/client";
import type { Queryable } from "../database/pool.ts";
import { readRotation } from "../database/webhookSecrets.ts";
import { searchAttributes } from "../workflows/searchAttributes.ts";
import { taskQueues } from "../workflows/taskQueues.ts";
import type { webhookSecretRotation } from "../workflows/webhookSecretRotation.ts";
import { webhookSecretRotationWorkflowId } from "../workflows/webhookSecretRotationId.ts";

/** How long a batch of messages may wait for a workflow to take its update; then this one is told again. */
const patienceMilliseconds = 5000;

/** Starts the workflow that ends a monitor's rotation, or tells the running one of the new window; true when there is nothing left to tell. */
export async function startRotation(db: Queryable, client: Client, monitorId: string): Promise<boolean> {
  const rotation = await readRotation(db, monitorId);
  if (rotation === null) return true;
  const expiresAtMilliseconds = rotation.expiresAt.getTime();
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof webhookSecretRotation>("webhookSecretRotation", {
    workflowId: webhookSecretRotationWorkflowId(monitorId),
    workflowIdConflictPolicy: "USE_EXISTING",
    taskQueue: taskQueues.workflows,
    args: [{ monitorId, expiresAtMilliseconds }],
    staticSummary: `Rotation of the webhook secret of ${monitorId}`,
    staticDetails: "Erases the old secret 24 hours after the rotation. Nothing in it needs a human.",
    typedSearchAttributes: [
      { key: searchAttributes.account, value: rotation.accountId },
      { key: searchAttributes.monitor, value: monitorId },
      { key: searchAttributes.stage, value: "waiting" },
    ],
  });
  await client.withDeadline(Date.now() + patienceMilliseconds, () =>
    client.workflow.startUpdateWithStart<typeof webhookSecretRotation, void, [number]>("restartWindow", {
      startWorkflowOperation,
      args: [expiresAtMilliseconds],
      updateId: `window-${expiresAtMilliseconds}`,
      waitForStage: WorkflowUpdateStage.ACCEPTED,
    }),
  );
  return true;
}
