import { removeMonitor } from "../../../services/monitors/remove.ts";
import { keyAccess } from "../../http/access.ts";
import { noBody, none, operation } from "../../http/operation.ts";
import { deleted, monitorPath } from "./schema.ts";

export const remove = operation({
  id: "deleteMonitor",
  method: "delete",
  path: "/v1/monitors/{id}",
  tag: "Monitors",
  summary: "Delete a monitor",
  description: "Its trackers stay, without a monitor; its webhook secret is erased.",
  access: keyAccess("monitors:write"),
  params: monitorPath,
  query: none,
  body: noBody,
  errors: ["monitor_not_found"],
  responses: { 200: { description: "It is deleted.", json: deleted } },
  async handle({ transaction, caller, params }) {
    await removeMonitor(transaction, caller, params.id);
    return { status: 200, json: { id: params.id, deleted: true as const } };
  },
});
