import type { WorkflowHandleWithFirstExecutionRunId } from "@temporalio/client";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker, type WorkflowBundleWithSourceMap } from "@temporalio/worker";
import { createAlertActivities } from "../../activities/alerts.ts";
import type { DeliveryParts } from "../../services/alerts/parts.ts";
import type { ServiceContext } from "../../services/context.ts";
import type { alertDelivery } from "../../workflows/alertDelivery.ts";
import { alertDeliveryWorkflowId } from "../../domain/alerts.ts";
import { searchAttributes } from "../../workflows/searchAttributes.ts";
import { taskQueues } from "../../workflows/taskQueues.ts";

/** Runs `work` while deliveries are made in this process. `beforeEach` runs before every step, to set a clock. */
export async function whileDelivering<T>(
  parts: {
    environment: TestWorkflowEnvironment;
    bundle: WorkflowBundleWithSourceMap;
    context: ServiceContext;
    parts: DeliveryParts;
    beforeEach?: () => Promise<void>;
  },
  work: () => Promise<T>,
): Promise<T> {
  const { environment, bundle, context, beforeEach = async () => undefined } = parts;
  const { beginAlert, attemptDelivery, sendNotice } = createAlertActivities({ context, parts: parts.parts });
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    namespace: environment.namespace ?? "default",
    taskQueue: taskQueues.deliveries,
    workflowBundle: bundle,
    activities: {
      beginAlert: async (...told: Parameters<typeof beginAlert>) => (await beforeEach(), beginAlert(...told)),
      attemptDelivery: async (...told: Parameters<typeof attemptDelivery>) => (
        await beforeEach(),
        attemptDelivery(...told)
      ),
      sendNotice: async (...told: Parameters<typeof sendNotice>) => (await beforeEach(), sendNotice(...told)),
    },
  });
  return worker.runUntil(work());
}

/** Starts an alert's workflow by itself, where no dispatcher runs. */
export function startDelivery(
  environment: TestWorkflowEnvironment,
  occurrenceId: string,
): Promise<WorkflowHandleWithFirstExecutionRunId<typeof alertDelivery>> {
  return environment.client.workflow.start<typeof alertDelivery>("alertDelivery", {
    workflowId: alertDeliveryWorkflowId(occurrenceId),
    taskQueue: taskQueues.deliveries,
    args: [{ occurrenceId }],
    typedSearchAttributes: [{ key: searchAttributes.stage, value: "delivering" }],
  });
}
