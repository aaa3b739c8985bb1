import { NativeConnection, Runtime, type Worker } from "@temporalio/worker";
import { pino, type Logger } from "pino";
import { readConfiguration } from "../adapters/configuration.ts";
import { portOrAnyFree } from "../adapters/ports.ts";
import { requireDatabaseUrl, temporalConnectionOptions } from "../adapters/temporal.ts";
import { createKeyVault } from "../adapters/vault/keyVault.ts";
import { readMasterKeys } from "../adapters/vault/masterKeys.ts";
import { openPool } from "../database/pool.ts";
import { deleteHeartbeat, upsertHeartbeat, type WorkerHeartbeat } from "../database/workers.ts";
import type { Configuration } from "../domain/configuration.ts";
import { describeFailure } from "../domain/describeFailure.ts";
import { newId } from "../domain/ids.ts";
import type { ServiceContext } from "../services/context.ts";

/** What a kind of worker is built from. */
export interface WorkerParts {
  configuration: Configuration;
  context: ServiceContext;
  connection: NativeConnection;
  logger: Logger;
}

export interface BuiltWorkers {
  workers: Worker[];
  /** How its engine is, where it has one; asked at every heartbeat. */
  engineState: () => WorkerHeartbeat["engine"];
  close: () => Promise<void>;
}

/** The API takes METRICS_PORT itself. */
const metricsPortOffset: Record<WorkerHeartbeat["role"], number> = { workflows: 1, speech: 2 };

const heartbeatMilliseconds = 5000;
/** Less than those who stop it wait, more than running steps get. */
const longestStopMilliseconds = 25_000;

/**
 * Runs workers until SIGTERM, SIGINT or the end of the process that started them: no new task is taken, running ones get their grace,
 * what they open is closed.
 */
export async function runWorkers(
  role: WorkerHeartbeat["role"],
  build: (parts: WorkerParts) => Promise<BuiltWorkers>,
): Promise<void> {
  const configuration = readConfiguration();
  const logger = pino({ level: configuration.LOG_LEVEL, base: { role }, serializers: { err: describeFailure } });
  const { METRICS_HOST: host, METRICS_PORT: apiMetricsPort } = configuration;
  const metricsPort = await portOrAnyFree(apiMetricsPort === 0 ? 0 : apiMetricsPort + metricsPortOffset[role], host);
  Runtime.install({
    shutdownSignals: [],
    logger: temporalLogger(logger),
    telemetryOptions: { metrics: { prometheus: { bindAddress: socketAddress(host, metricsPort) } } },
  });
  const connection = await NativeConnection.connect(temporalConnectionOptions(configuration));
  const pool = await openPool(requireDatabaseUrl(configuration), { maxConnections: configuration.DATABASE_POOL_SIZE });
  const vault = createKeyVault(() => readMasterKeys(configuration));
  const context: ServiceContext = {
    pool,
    settings: configuration.settings,
    clock: () => new Date(),
    vault,
    outbound: configuration.outbound,
  };
  const built = await build({ configuration, context, connection, logger });

  const stop = () => {
    endInTime();
    for (const worker of built.workers) if (worker.getState() === "RUNNING") worker.shutdown();
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  process.once("disconnect", stop);
  const wasOrphaned = process.send !== undefined && !process.connected;

  const workerId = newId("worker");
  const beat = () =>
    upsertHeartbeat(pool, { workerId, role, engine: built.engineState() }).catch((error: unknown) =>
      logger.warn({ err: error }, "heartbeat not written"),
    );
  await beat();
  const heartbeats = setInterval(() => void beat(), heartbeatMilliseconds);
  process.send?.("ready");
  logger.info({ workerId, metricsUrl: `http://${socketAddress(host, metricsPort)}/metrics` }, "worker ready");
  try {
    if (!wasOrphaned) await Promise.all(built.workers.map((worker) => worker.run()));
  } finally {
    endInTime();
    clearInterval(heartbeats);
    await built.close();
    await deleteHeartbeat(pool, workerId).catch(() => undefined);
    await pool.end();
    await connection.close();
    if (process.connected) process.disconnect();
  }
}

/** Where Postgres or Temporal is gone too, closing what is open to it would be waited for without end. */
function endInTime(): void {
  setTimeout(() => process.exit(1), longestStopMilliseconds).unref();
}

function socketAddress(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function temporalLogger(logger: Logger) {
  return {
    trace: (message: string, meta?: object) => logger.trace(meta ?? {}, message),
    debug: (message: string, meta?: object) => logger.debug(meta ?? {}, message),
    info: (message: string, meta?: object) => logger.debug(meta ?? {}, message),
    warn: (message: string, meta?: object) => logger.warn(meta ?? {}, message),
    error: (message: string, meta?: object) => logger.error(meta ?? {}, message),
    log: (level: string, message: string, meta?: object) =>
      level === "ERROR" ? logger.error(meta ?? {}, message) : logger.info(meta ?? {}, message),
  };
}
