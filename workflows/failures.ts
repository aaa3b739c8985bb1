import * as wf from "@temporalio/workflow";
import { type FailureReason, failureReasons } from "../domain/failureReasons.ts";

/** Outages are ridden out, however long; what cannot be mended by waiting arrives as a non-retryable failure. */
export const patiently = { initialInterval: "1 second", backoffCoefficient: 2, maximumInterval: "30 seconds" } as const;

/** Whether no engine was there, and one may come back. */
export function isTemporaryOutage(error: unknown): boolean {
  const failure = applicationFailure(error);
  return failure?.type === "engine_unavailable" && failure.details?.[0] !== "permanent";
}

/** Why a step failed; `internal` for what is no failure of the recording but a defect. */
export function failureReason(error: unknown): FailureReason {
  const type = applicationFailure(error)?.type;
  return failureReasons.find((reason) => reason === type) ?? "internal";
}

function applicationFailure(error: unknown): wf.ApplicationFailure | null {
  if (error instanceof wf.ApplicationFailure) return error;
  return error instanceof wf.ActivityFailure && error.cause instanceof wf.ApplicationFailure ? error.cause : null;
}
