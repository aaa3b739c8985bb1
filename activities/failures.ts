import { activityInfo, ApplicationFailure, CancelledFailure } from "@temporalio/activity";
import { isDatabaseUnavailable } from "../database/pool.ts";
import { type FailureReason, MediaFailure } from "../domain/failureReasons.ts";

/** Attempts after which a step that keeps failing for no known reason is given up as a defect, so that its rows go back. */
const mostAttempts = 20;
/** A download may fail and then work; it is tried this often before the job is told. */
const mostDownloadAttempts = 4;

/**
 * Runs a step and gives its failures the form that the workflow decides by: the type is the `failureReason`, the first detail says
 * `permanent` where waiting cannot help. A database that is away is waited for. Messages are for operators and carry no text of a
 * recording and no secret.
 */
export async function withTypedFailures<T>(step: () => Promise<T>): Promise<T> {
  const { attempt } = activityInfo();
  try {
    return await step();
  } catch (error) {
    if (error instanceof CancelledFailure || isDatabaseUnavailable(error)) throw error;
    if (error instanceof MediaFailure) throw mediaApplicationFailure(error, attempt);
    if (attempt < mostAttempts) throw error;
    throw ApplicationFailure.nonRetryable(`given up after ${attempt} attempts`, "internal" satisfies FailureReason);
  }
}

/** Attempts after which an attempt to deliver that cannot be written down is given up: each may have reached its receiver. */
const mostDeliveryAttempts = 6;

/** Runs a step that is tried again while the database is away, and a few times where it fails for no known reason. */
export async function givenUpAsDefect<T>(step: () => Promise<T>): Promise<T> {
  const { attempt } = activityInfo();
  try {
    return await step();
  } catch (error) {
    if (error instanceof CancelledFailure || isDatabaseUnavailable(error) || attempt < mostDeliveryAttempts)
      throw error;
    throw ApplicationFailure.nonRetryable(`given up after ${attempt} attempts`, "internal" satisfies FailureReason);
  }
}

function mediaApplicationFailure(failure: MediaFailure, attempt: number): ApplicationFailure {
  const mayWork = failure.reason === "download_failed" && !failure.permanent && attempt < mostDownloadAttempts;
  return ApplicationFailure.create({
    message: failure.message,
    type: failure.reason,
    nonRetryable: !mayWork,
    details: failure.permanent ? ["permanent"] : [],
  });
}
