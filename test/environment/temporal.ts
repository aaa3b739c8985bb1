import { TestWorkflowEnvironment } from "@temporalio/testing";
import { testEnvironment } from "./addresses.ts";

/** host:port of the shared, real Temporal server. Keep apart by task queue and workflow id. */
export function temporalAddress(): string {
  return testEnvironment().temporalAddress;
}

/** The shared real server as a test environment; its `teardown()` closes the connections only. */
export function connectToRealServer(): Promise<TestWorkflowEnvironment> {
  return TestWorkflowEnvironment.createFromExistingServer({ address: temporalAddress(), namespace: "default" });
}

/** A server of one's own that skips time while a result is awaited. One clock for all its workflows. */
export function startTimeSkippingServer(): Promise<TestWorkflowEnvironment> {
  return TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: "existing-path", path: testEnvironment().temporalTestServer } },
  });
}
