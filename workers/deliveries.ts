import { type NativeConnection, Worker, type WorkflowBundleWithSourceMap } from "@temporalio/worker";
import type { Logger } from "pino";
import { createAlertActivities } from "../activities/alerts.ts";
import { createSlackChat } from "../adapters/chat/slack.ts";
import { createSafeFetch } from "../adapters/http/safeFetch.ts";
import { createMailer } from "../adapters/mail/createMailer.ts";
import type { Configuration } from "../domain/configuration.ts";
import type { DeliveryParts } from "../services/alerts/parts.ts";
import { ReceiverTurns } from "../services/alerts/receiverTurns.ts";
import type { ServiceContext } from "../services/context.ts";
import { unsubscribeLink } from "../services/mailSubscriptions/link.ts";
import { taskQueues } from "../workflows/taskQueues.ts";

/**
 * What a process has room for. Attempts mostly wait for their receivers, so there may be many at once; the first of each alert are made in its
 * first workflow task.
 */
export const deliveriesCapacity = {
  maxConcurrentActivityTaskExecutions: 200,
  maxConcurrentLocalActivityExecutions: 200,
  maxConcurrentWorkflowTaskExecutions: 250,
  maxCachedWorkflows: 500,
} as const;
/** Of them, with one receiver; to one that answers fast, others wait in line for a moment. */
const attemptsAtOneReceiver = 40;
const patienceSeconds = 1;

/** The worker of all deliveries, on a queue of its own: a receiver that takes its time keeps no other work waiting. */
export function createDeliveriesWorker(
  connection: NativeConnection,
  options: {
    namespace: string;
    workflowBundle: WorkflowBundleWithSourceMap;
    context: ServiceContext;
    parts: DeliveryParts;
  },
): Promise<Worker> {
  const { namespace, workflowBundle, context, parts } = options;
  return Worker.create({
    connection,
    namespace,
    taskQueue: taskQueues.deliveries,
    workflowBundle,
    activities: createAlertActivities({ context, parts }),
    ...deliveriesCapacity,
    // An exchange that is under way is better finished than repeated.
    shutdownGraceTime: "16 seconds",
  });
}

/** What alerts go out through in this installation. */
export function createDeliveryParts(
  configuration: Configuration,
  { clock, settings, vault }: ServiceContext,
  logger: Logger,
): DeliveryParts {
  const http = createSafeFetch({ policy: configuration.outbound });
  const timeoutSeconds = settings.alerts.attemptTimeoutSeconds;
  return {
    http,
    mailer: createMailer(configuration, clock),
    chat: createSlackChat({ http, apiUrl: settings.slackApiUrl, timeoutSeconds, clock }),
    turns: new ReceiverTurns(attemptsAtOneReceiver, { patienceSeconds }),
    unsubscribeUrl: (mails) => unsubscribeLink(vault, configuration.publicUrl, mails),
    random: Math.random,
    onDefect: (error) => logger.error({ err: error }, "an attempt to deliver failed for no fault of its receiver"),
  };
}
