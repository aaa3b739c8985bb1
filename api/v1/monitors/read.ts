import { readMonitor } from "../../../services/monitors/read.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { monitorPath, shapeMonitor, wrappedMonitor } from "./schema.ts";

export const read = operation({
  id: "getMonitor",
  method: "get",
  path: "/v1/monitors/{id}",
  tag: "Monitors",
  summary: "Read a monitor",
  access: keyAccess("read"),
  params: monitorPath,
  query: none,
  errors: ["monitor_not_found"],
  responses: { 200: { description: "The monitor.", json: wrappedMonitor } },
  async handle({ context, caller, params }) {
    const monitor = await readMonitor(context.pool, caller.accountId, params.id);
    return { status: 200, json: { monitor: shapeMonitor(monitor, context.clock()) } };
  },
});
