import { updateMonitor } from "../../../services/monitors/update.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { featureOf, monitorChange, monitorPath, shapeMonitor, writtenMonitor } from "./schema.ts";

export const update = operation({
  id: "updateMonitor",
  method: "patch",
  path: "/v1/monitors/{id}",
  tag: "Monitors",
  summary: "Change a monitor",
  description:
    "Where this makes the monitor sign webhooks for the first time, the answer holds the secret, in `monitor.webhookSecret`: this once, never again.",
  access: keyAccess("monitors:write", { featureOf }),
  params: monitorPath,
  query: none,
  body: monitorChange,
  answersSecret: true,
  errors: ["monitor_not_found"],
  responses: { 200: { description: "The monitor, and its secret where this made one.", json: writtenMonitor } },
  async handle({ context, transaction, caller, params, body }) {
    const { monitor, webhookSecret } = await updateMonitor(context, transaction, caller, params.id, body);
    const shown = shapeMonitor(monitor, context.clock());
    return { status: 200, json: { monitor: { ...shown, ...(webhookSecret !== null && { webhookSecret }) } } };
  },
});
