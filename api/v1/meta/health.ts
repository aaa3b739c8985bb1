import { publicAccess } from "../../http/access.ts";
import { serviceVersion } from "../../http/exchange.ts";
import { none, operation, type Operation } from "../../http/operation.ts";
import { createHealthMonitor, type HealthChecks } from "./healthMonitor.ts";
import { health } from "./schema.ts";

/** `GET /v1/health` over checks that throw, or do not end in time, when their part is down. */
export function createHealth(checks: HealthChecks): Operation {
  const monitor = createHealthMonitor(checks);
  return operation({
    id: "getHealth",
    method: "get",
    path: "/v1/health",
    tag: "Meta",
    summary: "Whether the service and its parts are up",
    access: publicAccess,
    params: none,
    query: none,
    responses: {
      200: {
        description: "The service answers; `degraded` when jobs have to wait for Temporal or a transcriber.",
        json: health,
      },
      503: { description: "The database is down, and with it everything that needs a key.", json: health },
    },
    async handle({ context }) {
      const state = await monitor();
      const isOk = Object.values(state).every((part) => part === "ok");
      const json = {
        status: isOk ? ("ok" as const) : ("degraded" as const),
        version: serviceVersion,
        time: context.clock().toISOString(),
        checks: state,
      };
      return state.database === "ok" ? { status: 200, json } : { status: 503, json };
    },
  });
}
