import type { Configuration } from "../domain/configuration.ts";

/** What both the client's and the worker's connection to Temporal need. */
export function temporalConnectionOptions(configuration: Configuration) {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_API_KEY: apiKey, TEMPORAL_TLS: tls } = configuration;
  if (address === undefined)
    throw new Error("TEMPORAL_ADDRESS is not set; `npm start` sets it for the processes it starts");
  return { address, tls: tls || apiKey !== undefined, ...(apiKey !== undefined && { apiKey }) };
}

/** The address of the database. Throws where none is configured. */
export function requireDatabaseUrl(configuration: Configuration): string {
  if (configuration.DATABASE_URL === undefined) {
    throw new Error("DATABASE_URL is not set; `npm start` sets it for the processes it starts");
  }
  return configuration.DATABASE_URL;
}
