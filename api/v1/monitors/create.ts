import { createMonitor } from "../../../services/monitors/create.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { featureOf, newMonitor, shapeMonitor, writtenMonitor } from "./schema.ts";

export const create = operation({
  id: "createMonitor",
  method: "post",
  path: "/v1/monitors",
  tag: "Monitors",
  summary: "Create a monitor",
  description:
    "With `notifyWebhook: true` the answer holds the secret that webhooks are signed with, in `monitor.webhookSecret`: this once, never again.",
  access: keyAccess("monitors:write", { featureOf }),
  params: none,
  query: none,
  body: newMonitor,
  answersSecret: true,
  responses: { 201: { description: "The monitor, and its secret where it has one.", json: writtenMonitor } },
  async handle({ context, transaction, caller, body }) {
    const { monitor, webhookSecret } = await createMonitor(context, transaction, caller, body);
    const shown = shapeMonitor(monitor, context.clock());
    return { status: 201, json: { monitor: { ...shown, ...(webhookSecret !== null && { webhookSecret }) } } };
  },
});
