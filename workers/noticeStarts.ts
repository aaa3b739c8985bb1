import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy } from "@temporalio/client";
import type { Queryable } from "../database/pool.ts";
import { readNotice } from "../database/webhookFailures.ts";
import { searchAttributes } from "../workflows/searchAttributes.ts";
import { taskQueues } from "../workflows/taskQueues.ts";
import type { webhookNotice } from "../workflows/webhookNotice.ts";
import { webhookNoticeWorkflowId } from "../workflows/webhookNoticeId.ts";

/** Starts the workflow that mails a webhook's owner, once for ever; true when it runs, has run, or there is nothing to tell. */
export async function startWebhookNotice(db: Queryable, client: Client, noticeId: string): Promise<boolean> {
  const notice = await readNotice(db, noticeId);
  if (notice === null) return true;
  const { accountId, monitorId, consequence } = notice;
  try {
    await client.workflow.start<typeof webhookNotice>("webhookNotice", {
      workflowId: webhookNoticeWorkflowId(noticeId),
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      taskQueue: taskQueues.deliveries,
      args: [{ noticeId }],
      staticSummary: `${consequence === "disable" ? "End" : "Failures"} of the webhook of ${monitorId}`,
      staticDetails: `Mails account ${accountId}. GET /v1/monitors/${monitorId}/deliveries lists what failed.`,
      typedSearchAttributes: [
        { key: searchAttributes.account, value: accountId },
        { key: searchAttributes.monitor, value: monitorId },
        { key: searchAttributes.stage, value: "mailing" },
      ],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  return true;
}
