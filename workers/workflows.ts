import { Client } from "@temporalio/client";
import { Worker } from "@temporalio/worker";
import { createFeedbackActivities } from "../activities/feedback.ts";
import { createRotationActivities } from "../activities/rotation.ts";
import { createImageActivities } from "../activities/images.ts";
import { createScanActivities } from "../activities/scan.ts";
import { createRelatedEntitiesActivities } from "../activities/relatedEntities.ts";
import { createTeachingActivities } from "../activities/teaching.ts";
import { createTranscriptionJobActivities } from "../activities/transcriptionJob.ts";
import { createUpkeepActivities } from "../activities/upkeep.ts";
import { createSafeFetch } from "../adapters/http/safeFetch.ts";
import { createPageImageFinder } from "../adapters/images/pageImage.ts";
import { requireDatabaseUrl } from "../adapters/temporal.ts";
import { taskQueues } from "../workflows/taskQueues.ts";
import { createDeliveriesWorker, createDeliveryParts } from "./deliveries.ts";
import { followNames } from "./nameIndex.ts";
import { OutboxDispatcher } from "./outboxDispatcher.ts";
import type { BuiltWorkers, WorkerParts } from "./run.ts";
import { keepSchedules } from "./schedules.ts";
import { bundleWorkflows } from "./workflowBundle.ts";

/** The worker that runs workflows and the short steps that only touch Postgres, and tells Temporal what has been committed. */
export async function createWorkflowsWorker({
  configuration,
  context,
  connection,
  logger,
}: WorkerParts): Promise<BuiltWorkers> {
  const { settings } = context;
  // Pages of entities may be plain http.
  const policy = { ...configuration.outbound, requireHttps: false };
  const http = createSafeFetch({ policy });
  const { names, stop: stopNames } = followNames(context, logger);
  const workflowBundle = await bundleWorkflows();
  const namespace = configuration.TEMPORAL_NAMESPACE;
  const deliveryParts = createDeliveryParts(configuration, context, logger);
  const deliveries = await createDeliveriesWorker(connection, {
    namespace,
    workflowBundle,
    context,
    parts: deliveryParts,
  });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: taskQueues.workflows,
    workflowBundle,
    activities: {
      ...createTranscriptionJobActivities({ context, names }),
      ...createScanActivities({ context, names }),
      ...createUpkeepActivities({ context }),
      ...createRotationActivities({ context }),
      ...createFeedbackActivities({ context }),
      ...createTeachingActivities({ context }),
      ...createImageActivities({ context, finder: createPageImageFinder({ ...settings.images, http, policy }) }),
      ...createRelatedEntitiesActivities({ context }),
    },
    maxConcurrentActivityTaskExecutions: configuration.DATABASE_POOL_SIZE,
    maxCachedWorkflows: 500,
    shutdownGraceTime: "10 seconds",
  });
  const client = new Client({ connection, namespace });
  const dispatcher = new OutboxDispatcher({ context, client, databaseUrl: requireDatabaseUrl(configuration), logger });
  const schedules = keepSchedules(context.pool, client, logger);
  return {
    workers: [worker, deliveries],
    engineState: () => null,
    close: async () => {
      await schedules.stop();
      await dispatcher.stop();
      await stopNames();
      deliveryParts.mailer.close();
    },
  };
}
