import { Client, Connection } from "@temporalio/client";
import { pino } from "pino";
import { readConfiguration } from "../adapters/configuration.ts";
import { openInbox } from "../adapters/mail/openInbox.ts";
import { createWorkflowCarrier } from "../adapters/reviews/workflowCarrier.ts";
import { requireDatabaseUrl, temporalConnectionOptions } from "../adapters/temporal.ts";
import { createKeyVault } from "../adapters/vault/keyVault.ts";
import { readMasterKeys } from "../adapters/vault/masterKeys.ts";
import { openPool } from "../database/pool.ts";
import { describeFailure } from "../domain/describeFailure.ts";
import { parseTrustedProxies } from "../domain/trustedProxies.ts";
import type { ServiceContext } from "../services/context.ts";
import { createKeyUses } from "../services/admission/keyUses.ts";
import { createApp } from "./app.ts";
import { readCursorSecret } from "./cursorSecret.ts";
import { createHealthChecks } from "./healthChecks.ts";
import { createCursors } from "./http/paging.ts";
import { startServer } from "./server.ts";
import { internalOperations } from "./internal/operations.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { serveMetrics } from "./metrics/metricsServer.ts";
import { v1Operations } from "./v1/operations.ts";

/** The API process. It ends on SIGTERM, on SIGINT, and when the process that started it is gone. */
const graceSeconds = 15;

const configuration = readConfiguration();
/** A write each eight kilobytes or quarter of a second, not one a request. */
const logDestination = pino.destination({ sync: true, minLength: 8192, periodicFlush: 250 });
process.once("exit", () => logDestination.flushSync());
const logger = pino({ level: configuration.LOG_LEVEL, base: { role: "api" } }, logDestination);
const pool = await openPool(requireDatabaseUrl(configuration), { maxConnections: configuration.DATABASE_POOL_SIZE });
const masterKeys = await readMasterKeys(configuration);
const vault = createKeyVault(async () => masterKeys);
const context: ServiceContext = {
  pool,
  settings: configuration.settings,
  clock: () => new Date(),
  vault,
  outbound: configuration.outbound,
};
const cursors = createCursors(await readCursorSecret(configuration));
const onError = (error: unknown) => logger.warn({ error: describeFailure(error) }, "last use of keys not written");
const keyUses = createKeyUses({ ...context, onError });
const temporal = Connection.lazy(temporalConnectionOptions(configuration));
const client = new Client({ connection: temporal, namespace: configuration.TEMPORAL_NAMESPACE });

const metrics = createMetrics(pool);
const metricsServer = await serveMetrics(metrics.registry, {
  host: configuration.METRICS_HOST,
  port: configuration.METRICS_PORT,
});

const server = await startServer(
  { host: configuration.HOST, port: configuration.PORT, publicUrl: configuration.PUBLIC_URL?.replace(/\/+$/, "") },
  (publicUrl) =>
    createApp({
      ...context,
      publicUrl,
      logger,
      cursors,
      keyUses,
      health: createHealthChecks(pool, temporal),
      operations: v1Operations,
      internalOperations,
      carrier: createWorkflowCarrier(client, (error) =>
        logger.info({ error: describeFailure(error) }, "review step not carried by its workflow"),
      ),
      inbox: openInbox(configuration),
      trustedProxies: parseTrustedProxies(configuration.TRUST_PROXY ?? "0") ?? 0,
      observe: metrics.observe,
    }),
);
logger.info({ url: server.url, metricsUrl: metricsServer.url }, "api ready");
process.send?.("ready");

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  // Where Postgres or Temporal is gone too, closing what is open to it would be waited for without end.
  setTimeout(() => process.exit(1), (graceSeconds + 3) * 1000).unref();
  await server.stop(graceSeconds);
  await metricsServer.stop();
  await keyUses.stop();
  await pool.end();
  await temporal.close();
  process.exit(0);
}
for (const event of ["SIGTERM", "SIGINT", "disconnect"]) process.once(event, () => void stop());
