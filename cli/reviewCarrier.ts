import { readConfiguration } from "../adapters/configuration.ts";
import { createWorkflowCarrier } from "../adapters/reviews/workflowCarrier.ts";
import { temporalConnectionOptions } from "../adapters/temporal.ts";
import type { ReviewCarrier } from "../domain/review/carrying.ts";
import { readRunState } from "./start/runState.ts";

/** Runs a command's work with the workflows of reviews, where Temporal is configured or the running `npm start` has one; else with null. */
export async function withReviewCarrier<T>(work: (carrier: ReviewCarrier | null) => Promise<T>): Promise<T> {
  const configuration = readConfiguration();
  const address = configuration.TEMPORAL_ADDRESS ?? readRunState(configuration.home)?.temporalAddress;
  if (address === undefined) return work(null);
  // Not loaded for the commands that do without.
  const { Client, Connection } = await import("@temporalio/client");
  const connection = Connection.lazy(temporalConnectionOptions({ ...configuration, TEMPORAL_ADDRESS: address }));
  try {
    return await work(createWorkflowCarrier(new Client({ connection, namespace: configuration.TEMPORAL_NAMESPACE })));
  } finally {
    await connection.close();
  }
}
