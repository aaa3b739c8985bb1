import type { Configuration } from "../../domain/configuration.ts";
import { temporalConnectionOptions } from "../../adapters/temporal.ts";
import { registerKeywordAttributes } from "./temporalServer.ts";

/**
 * Adds the search attributes to a Temporal server that is not ours. Where that is not allowed, as in a hosted one, `note` is told
 * what its owner has to add. Throws when the server cannot be reached.
 */
export async function prepareExternalTemporal(
  configuration: Configuration,
  attributes: readonly string[],
  note: (text: string) => void,
): Promise<void> {
  const { Connection } = await import("@temporalio/client");
  const { address, ...security } = temporalConnectionOptions(configuration);
  const connection = await Connection.connect({ address, ...security }).catch((error: unknown) => {
    throw new Error(`no Temporal server answers at ${address} (TEMPORAL_ADDRESS)`, { cause: error });
  });
  try {
    await registerKeywordAttributes(connection, configuration.TEMPORAL_NAMESPACE, attributes);
  } catch {
    note(
      `the Temporal namespace ${configuration.TEMPORAL_NAMESPACE} needs these search attributes of type Keyword: ${attributes.join(", ")}`,
    );
  } finally {
    await connection.close();
  }
}
