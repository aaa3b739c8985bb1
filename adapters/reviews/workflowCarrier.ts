import type { Client } from "@temporalio/client";
import {
  type CarriedStep,
  feedbackReviewWorkflowId,
  type ReviewCarrier,
  type ReviewStep,
} from "../../domain/review/carrying.ts";

/** How long a reviewer waits for the workflow before the step is taken without it. */
const patienceMilliseconds = 10_000;

/**
 * Has steps carried by the workflows of feedback, as updates named for their commands, so that a repeat is the same update. `onNotCarried` is
 * told why one was not.
 */
export function createWorkflowCarrier(
  client: Client,
  onNotCarried: (error: unknown) => void = () => undefined,
): ReviewCarrier {
  return {
    async carry(feedbackId, name, step) {
      const handle = client.workflow.getHandle(feedbackReviewWorkflowId(feedbackId));
      try {
        await client.withDeadline(Date.now() + patienceMilliseconds, () =>
          handle.executeUpdate<CarriedStep, [ReviewStep]>(name, { args: [step], updateId: step.commandId }),
        );
        return true;
      } catch (error) {
        onNotCarried(error);
        // Refused early, by what the workflow knows, or not there to be asked: either way Postgres has the last word, and has not been asked.
        return false;
      }
    },
  };
}
