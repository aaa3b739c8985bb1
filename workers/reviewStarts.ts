import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from "@temporalio/client";
import { readFeedback, snapshotOf } from "../database/feedback.ts";
import type { Queryable } from "../database/pool.ts";
import { feedbackReviewWorkflowId } from "../domain/review/carrying.ts";
import { isOver } from "../domain/review/states.ts";
import type { feedbackReview } from "../workflows/feedbackReview.ts";
import { searchAttributes } from "../workflows/searchAttributes.ts";
import { taskQueues } from "../workflows/taskQueues.ts";

/**
 * Starts the workflow that carries a feedback's review, or lets the running one read anew where the feedback stands. One that is over starts
 * none. True when there is nothing left to tell.
 */
export async function startReview(db: Queryable, client: Client, feedbackId: number): Promise<boolean> {
  const feedback = await readFeedback(db, feedbackId, null);
  if (feedback === null) return true;
  const workflowId = feedbackReviewWorkflowId(feedbackId);
  const snapshot = snapshotOf(feedback);
  if (isOver(snapshot.corrections.map(({ status }) => status))) return refresh(client, workflowId);
  const { accountId, type, corrections } = feedback;
  try {
    await client.workflow.start<typeof feedbackReview>("feedbackReview", {
      workflowId,
      taskQueue: taskQueues.workflows,
      args: [{ feedbackId, accountId, snapshot, earlierRuns: 0 }],
      staticSummary: `Review of feedback ${feedbackId} (${type})`,
      staticDetails: `${corrections.length} corrections, submitted by ${accountId}. Read it with \`reviews show ${feedbackId}\`.`,
      typedSearchAttributes: [
        { key: searchAttributes.account, value: accountId },
        { key: searchAttributes.feedback, value: String(feedbackId) },
        { key: searchAttributes.stage, value: snapshot.status },
      ],
    });
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return refresh(client, workflowId);
  }
}

async function refresh(client: Client, workflowId: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId).signal("refresh");
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
  return true;
}
