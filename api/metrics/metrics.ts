import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Pool } from "../../database/pool.ts";
import type { EndedExchange } from "../http/exchange.ts";

/** What a Prometheus server reads from an API process. */
export interface Metrics {
  registry: Registry;
  observe: (ended: EndedExchange) => void;
}

const methods = new Set(["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS", "PUT"]);
const durationBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts of requests, rows, refusals and replays, and the state of the pool. Labels are names of operations, never URLs or ids. */
export function createMetrics(pool: Pool): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "http_requests_total",
    help: "Requests by operation, method and status; 499 where the client went away.",
    labelNames: ["route", "method", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's headers to the end of its answer.",
    labelNames: ["route"],
    buckets: durationBuckets,
    registers,
  });
  const rows = new Counter({ name: "rows_charged_total", help: "Rows charged by requests.", registers });
  const limited = new Counter({
    name: "rate_limited_total",
    help: "Requests refused with 429.",
    labelNames: ["route"],
    registers,
  });
  const idempotency = new Counter({
    name: "idempotency_outcomes_total",
    help: "Requests with an Idempotency-Key: stored, replayed, conflict, in_progress or failed.",
    labelNames: ["outcome"],
    registers,
  });
  const connections = new Gauge({
    name: "database_pool_connections",
    help: "Connections of this process's pool, used and idle, and statements that wait for one.",
    labelNames: ["state"],
    collect() {
      const { acquiredConnections, idleConnections, waitingClients } = pool.state();
      this.set({ state: "used" }, acquiredConnections);
      this.set({ state: "idle" }, idleConnections);
      this.set({ state: "waiting" }, waitingClients);
    },
    registers: [],
  });
  registry.registerMetric(connections);

  return {
    registry,
    observe(ended) {
      const route = ended.operationId ?? "none";
      const method = methods.has(ended.method) ? ended.method : "other";
      requests.inc({ route, method, status: ended.status });
      durations.observe({ route }, ended.durationSeconds);
      if (ended.rows > 0) rows.inc(ended.rows);
      if (ended.code === "rate_limit_exceeded") limited.inc({ route });
      if (ended.hasIdempotencyKey === true) idempotency.inc({ outcome: outcomeOf(ended) });
    },
  };
}

function outcomeOf({ replayed, code }: EndedExchange): string {
  if (replayed === true) return "replayed";
  switch (code) {
    case undefined:
      return "stored";
    case "idempotency_conflict":
      return "conflict";
    case "idempotency_in_progress":
      return "in_progress";
    default:
      return "failed";
  }
}
